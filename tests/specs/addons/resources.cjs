const { AsyncLocalStorage, createHook, executionAsyncId, executionAsyncResource } = require('node:async_hooks');
const addon = require('./resources.node');

const ours = new Map();
const seen = [];
createHook({
  init(id, type, trigger, resource) {
    if (!type.startsWith('our ')) return;
    ours.set(id, type);
    seen.push(['init', type, trigger === executionAsyncId(), Object.keys(resource).join()]);
  },
  before: (id) => ours.has(id) && seen.push(['before', ours.get(id)]),
  after: (id) => ours.has(id) && seen.push(['after', ours.get(id)]),
  destroy: (id) => ours.has(id) && seen.push(['destroy', ours.get(id)]),
}).enable();
const report = () => seen.splice(0).forEach((each) => console.log(...each));
// The end of a resource is reported later, when the loop has time.
const tellOnceEnded = (type, then) => {
  if (!seen.some(([what, of]) => what === 'destroy' && of === type)) return setImmediate(tellOnceEnded, type, then);
  report();
  then?.();
};
const storage = new AsyncLocalStorage();
const look = (what, resource) => () => {
  console.log(what, storage.getStore(), ours.get(executionAsyncId()), executionAsyncResource() === resource);
};

process.emitWarning = (text, type, code) => console.log('warning', type, code);
process.on('uncaughtException', ({ message }) => {
  console.log('uncaught', message);
  if (message === 'of the program') elsewhere();
});

const owner = { owner: 1 };
storage.run('context', () => {
  addon.begin(owner, 'our context');
  addon.begin(owner, 'our context');
});
addon.make({}, look('made', owner));
try {
  addon.make({}, () => {
    throw new Error('of a callback');
  });
} catch ({ message }) {
  console.log('caught', message, executionAsyncResource() === owner);
}
addon.end();

tellOnceEnded('our context', () => {
  storage.run('work', () => {
    addon.work({}, 'our work', () => {
      console.log('worked', ours.get(executionAsyncId()));
      tellOnceEnded('our work', () => {
        throw new Error('of the program');
      });
    });
  });
});

function elsewhere() {
  const thrower = () => {
    console.log('called', ours.get(executionAsyncId()));
    tellOnceEnded('our call');
    throw new Error('of a call');
  };
  storage.run('thread', () => addon.elsewhere({}, 'our call', thrower));
}
