// Listeners of an aborted signal run in an internal microtask, even if the program has replaced queueMicrotask.
const { addAbortListener } = require('node:events');

globalThis.queueMicrotask = () => console.log('the program was asked');
process.on('uncaughtException', ({ message }) => console.log('uncaught', message));
addAbortListener(AbortSignal.abort(), () => console.log('aborted'));
addAbortListener(AbortSignal.abort(), () => {
  throw new Error('of a listener');
});
console.log('first');
