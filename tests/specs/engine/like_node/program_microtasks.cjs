// Listeners of a signal that has aborted run in a microtask of the library's, also where a program has its own queueMicrotask.
const { addAbortListener } = require('node:events');

globalThis.queueMicrotask = () => console.log('the program was asked');
process.on('uncaughtException', ({ message }) => console.log('uncaught', message));
addAbortListener(AbortSignal.abort(), () => console.log('aborted'));
addAbortListener(AbortSignal.abort(), () => {
  throw new Error('of a listener');
});
console.log('first');
