// process.finalization: register, registerBeforeExit and unregister.
const kept = { name: 'kept' };
globalThis.kept = kept;
process.finalization.register(kept, (object, event) => console.log('register', object.name, event));
process.finalization.registerBeforeExit(kept, (object, event) => console.log('before', object.name, event));
const gone = { name: 'gone' };
globalThis.gone = gone;
process.finalization.register(gone, () => console.log('never'));
process.finalization.unregister(gone);
process.on('exit', () => console.log('exit'));
