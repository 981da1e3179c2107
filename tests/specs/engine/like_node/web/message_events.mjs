// The properties of MessageEvent, and the order in which its dictionary is read.
import { inspect } from 'node:util';
const reported = (event) => inspect([Object.isFrozen(event.ports), event.ports.length, event.origin, event.lastEventId, event.source, event.data], { breakLength: Infinity });
const order = [];
const dictionary = new Proxy({}, { get: (_, name) => void (typeof name === 'string' && order.push(name)) });
for (const Class of [MessageEvent, CloseEvent, ErrorEvent]) {
  order.length = 0;
  new Class('x', dictionary);
  console.log(Class.name, order.filter((name) => !(name in Event.prototype)).join());
}
for (const given of [undefined, null, {}, { data: 1 }, { ports: [] }, { origin: 5, lastEventId: {} }]) console.log(reported(new MessageEvent('x', given)));
const { port1, port2 } = new MessageChannel();
const moved = new MessageChannel();
moved.port2.unref();
port2.onmessage = (event) => {
  console.log(reported(event));
  if (event.data.last) port2.close();
};
port1.postMessage({ last: 2 }, [moved.port1]);
