// Members of Web classes called on a wrong receiver: the class, code and message of the error.
const classes = { Headers, Request, Response, FormData, MessageEvent, CloseEvent, ErrorEvent, WebSocket, BroadcastChannel, AbortSignal };
const others = new Set(['getAll', 'toJSON', 'count', 'body', 'bodyUsed', 'textStream']); // extensions of rt and of Node, and two names with Node's private members
const reported = ({ constructor, code, message }) => `${constructor.name} ${code} ${message}`;

for (const [name, Class] of Object.entries(classes)) {
  const said = new Set();
  for (const key of Object.getOwnPropertyNames(Class.prototype)) {
    const property = Object.getOwnPropertyDescriptor(Class.prototype, key);
    const isForeign = key === 'constructor' || key.startsWith('on') || (/^(?:Headers|Request|Response)$/.test(name) && others.has(key));
    if (isForeign) continue;
    for (const part of ['get', 'set', 'value']) {
      if (typeof property[part] !== 'function') continue;
      for (const receiver of [undefined, {}, Class.prototype, 1]) {
        try {
          const given = Reflect.apply(property[part], receiver, []);
          if (typeof given?.then === 'function') await given.catch((error) => said.add(`rejected ${reported(error)}`));
          else said.add(`${key} gives ${typeof given}`);
        } catch (error) {
          said.add(reported(error));
        }
      }
    }
  }
  console.log(name, JSON.stringify([...said].sort()));
}
for (const [Class, key] of [[Headers, 'append'], [FormData, 'set'], [Request, 'text']]) {
  const { name, length } = Class.prototype[key];
  console.log(name, length, Object.hasOwn(Class.prototype[key], 'prototype'));
}
console.log(Headers.prototype.entries === Headers.prototype[Symbol.iterator], FormData.prototype.entries === FormData.prototype[Symbol.iterator]);
class Own extends Headers {}
console.log(new Own({ a: 'b' }).get('a'), await new (class extends Response {})('text').text());
