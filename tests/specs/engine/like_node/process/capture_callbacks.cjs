// The order in which an uncaught error is reported: monitor, capture callback, added callbacks, listeners.
process.on('uncaughtExceptionMonitor', (e, origin) => console.log('monitor', e.message, origin));
process.addUncaughtExceptionCaptureCallback((e) => (console.log('further', e.message), e.message === 'a'));
process.on('uncaughtException', (e) => console.log('listener', e.message));
const steps = [
  () => { throw new Error('a'); },
  () => { throw new Error('b'); },
  () => {
    process.setUncaughtExceptionCaptureCallback((e) => console.log('main', e.message));
    throw new Error('c');
  },
  () => Promise.reject(new Error('a')),
  () => {
    process.setUncaughtExceptionCaptureCallback(null);
    throw new Error('d');
  },
];
const next = () => {
  const step = steps.shift();
  if (step === undefined) return;
  setImmediate(() => setImmediate(next));
  step();
};
next();
