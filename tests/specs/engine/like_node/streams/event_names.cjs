// The events of a stream's own come first, in the order of its class, and keep their place without listeners.
const { Duplex, Readable, Writable, PassThrough } = require('node:stream');
const { inspect } = require('node:util');

const print = (...values) => console.log(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));

for (const Class of [Readable, Writable, Duplex, PassThrough]) {
  const stream = new Class({ read() {}, write() {} });
  print(Class.name, Object.keys(stream._events), stream.eventNames());
  const listener = () => {};
  for (const name of ['custom', 'drain', 'data', 'error', 'finish', 'close']) stream.on(name, listener);
  print(stream.eventNames());
  stream.off('data', listener).off('custom', listener);
  print(stream.eventNames(), Object.keys(stream._events));
  stream.removeAllListeners('error');
  print(stream.eventNames(), stream.listenerCount('close'));
  stream.removeAllListeners();
  print(stream.eventNames(), inspect(stream._events));
}
class Early extends Readable {
  constructor() {
    super({ read() {} });
    this.on('own', () => {});
  }
}
print(new Early().eventNames());
