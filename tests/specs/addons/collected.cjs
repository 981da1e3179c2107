const { AsyncLocalStorage, createHook, executionAsyncResource } = require('node:async_hooks');
const addon = require('./collected.node');

// Finalizers inside the collector: the loop does not turn in between.
(() => {
  addon.watch({});
  addon.wrap({});
})();
for (let index = 0; index < 10 && addon.count() < 2; index++) gc();
console.log('finalized', addon.count(), addon.count_posted());

// Strings backed by an addon's memory.
const texts = [];
for (const size of [0, 1, 2, 3, 20, 1001]) {
  for (const make of [addon.latin, addon.wide]) {
    const [status, isCopied, text] = make(size);
    texts.push(text);
    console.log(size, status, isCopied, text.length, text.slice(0, 3), text === text.at(0)?.repeat(size), new Set([text]).has(text));
  }
}
const joined = texts.join('');
console.log(joined.length, Buffer.from(joined).length, JSON.stringify(joined).length, joined.indexOf('\u4e2d'), /\u4e2d+$/.exec(joined)[0].length);
console.log(Object.keys({ [texts[4]]: 1, [texts[5]]: 2 }).join(), eval(`"${texts[11]}"`) === texts[11]);
const before = addon.count();
console.log('ended at once', before);

const storage = new AsyncLocalStorage();
const ours = new Set();
const reported = [];
createHook({
  init(id, type) {
    if (type !== 'ours') return;
    ours.add(id);
    reported.push('init');
  },
  before: (id) => ours.has(id) && reported.push('before'),
  after: (id) => ours.has(id) && reported.push('after'),
}).enable();
const resource = {};
storage.run('context', () => addon.begin(resource, 'ours'));
const look = () => reported.push(`${storage.getStore()} ${executionAsyncResource() === resource}`);
storage.run('outside', () => {
  addon.within(look, 1, 1);
  addon.within(look, 3, 3);
  look();
});
addon.end();
console.log(reported.join(', '));

setImmediate(() => {
  console.log('posted', addon.count_posted());
  texts.length = 0;
  for (let index = 0; index < 10 && addon.count() === before; index++) gc();
  console.log('strings are collected', addon.count() > before);
  domains();
});

function domains() {
  process.emitWarning = (text, type, code) => console.log('warning', text, type, code);
  const domain = require('node:domain');
  console.log(addon.make({ domain: 5 - 5 }, (...args) => args.join(), 'a', 'b'));
  const own = domain.create();
  own.on('error', ({ message }) => console.log('of the domain:', message));
  console.log(addon.make({ domain: own }, () => process.domain === own));
  own.run(() => addon.make({ domain: own }, function named() {}));
  process.on('uncaughtException', ({ message }) => console.log('uncaught', message));
  setImmediate(() => {
    addon.make({ domain: own }, () => {
      throw new Error('thrown in a callback');
    });
  });
}
