// Members of an AbortSignal reach it through proxies and objects that inherit from one; AbortSignal.any takes signals only.
import { readFile } from 'node:fs/promises';

const controller = new AbortController();
const proxy = new Proxy(new Proxy(controller.signal, {}), {});
const heir = Object.create(controller.signal);
const attempts = {
  aborted: (signal) => signal.aborted,
  reason: (signal) => signal.reason,
  throwIfAborted: (signal) => signal.throwIfAborted(),
  handler(signal) {
    signal.onabort = () => console.log('handler');
    return typeof signal.onabort;
  },
  listener: (signal) => signal.addEventListener('abort', () => console.log('listener'), { once: true }),
  removal: (signal) => signal.removeEventListener('abort', () => {}),
  any: (signal) => AbortSignal.any([signal]).aborted,
};
const receivers = { proxy, heir, 'a plain object': {}, 'an EventTarget': new EventTarget() };
const getters = Object.getOwnPropertyDescriptors(AbortSignal.prototype);
for (const [what, receiver] of Object.entries(receivers)) {
  for (const [name, attempt] of Object.entries(attempts)) {
    if ((what !== 'proxy' && what !== 'heir' && name !== 'any') || (what === 'heir' && name === 'handler')) continue;
    try {
      console.log(what, name, attempt(receiver));
    } catch ({ code, name: kind }) {
      console.log(what, name, code ?? kind);
    }
  }
  try {
    console.log(what, Reflect.apply(getters.aborted.get, receiver, []));
  } catch ({ code, name }) {
    console.log(what, code ?? name);
  }
}
await readFile('/dev/null', { signal: proxy }).then(() => console.log('read'));
controller.abort();
console.log(proxy.aborted, heir.aborted, proxy.reason.name);
await readFile('/dev/null', { signal: proxy }).catch(({ name }) => console.log(name));
try {
  EventTarget.prototype.addEventListener.call({}, 'x', () => {});
} catch ({ code }) {
  console.log(code);
}
