// MessagePort: its class, its members, what `on` listeners receive, and messages that wait for a listener.
const { BroadcastChannel, MessageChannel, MessagePort } = require('node:worker_threads');
const { inspect } = require('node:util');

const print = (...values) => console.log(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));

const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return [error.name, error.code, error.message];
  }
};
print(attempt(() => MessagePort()), attempt(() => new MessagePort()), attempt(() => MessageChannel()));
print(Object.getOwnPropertyNames(MessagePort.prototype).sort(), MessagePort.length, MessagePort.name);
const { port1, port2 } = new MessageChannel();
print(port1 instanceof MessagePort, port1.constructor === MessagePort, port1 instanceof EventTarget);
port1.on('own', (value) => print('own', value));
port1.addEventListener('own', (event) => print(event.type, event.detail));
port1.emit('own', 'detail');
port1.emit('own');

const channel = new BroadcastChannel('name');
print(attempt(() => channel[inspect.custom].call()), inspect(channel));
channel.close();

const early = () => print('not called');
port2.on('message', early);
setImmediate(() => {
  port2.off('message', early);
  print(port2.hasRef());
  port1.postMessage('waiting');
  setImmediate(() => {
    port2.on('message', (value) => {
      print(value, port2.hasRef());
      port2.close(() => print('closed'));
    });
  });
});
