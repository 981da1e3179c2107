// Uncaught exception capture callbacks: added, consulted in order, set and removed.
process.addUncaughtExceptionCaptureCallback((error) => { console.log('first', error.message); return error.message === 'one'; });
process.addUncaughtExceptionCaptureCallback((error) => { console.log('second', error.message); return error.message === 'two'; });
process.on('uncaughtException', (error) => console.log('listener', error.message));
for (const [place, message] of ['one', 'two', 'three'].entries()) setTimeout(() => { throw new Error(message); }, place * 5);
