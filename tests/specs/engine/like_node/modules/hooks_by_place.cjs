// Module loader hooks in less common places: built-in modules, conditions, require.resolve, sources without a format,
// order.
const fs = require('node:fs');
const m = require('node:module');
const { pathToFileURL } = require('node:url');
const write = (name, text) => {
  fs.mkdirSync(require('path').dirname(name), { recursive: true });
  fs.writeFileSync(name, text);
};
const log = (...values) => console.log(...values.map((each) => (typeof each === 'string' ? each.replaceAll(process.cwd(), '<d>') : each)));
const attempt = (name, run) => {
  try {
    log(name, require('node:util').inspect(run()));
  } catch (error) {
    log(name, error.name, error.code, error.message.split('\n')[0]);
  }
};
write('instead.js', 'module.exports = "instead"');
write('empty.js', '');
write('esm.js', 'export const here = import.meta.url.slice(-6)');
write('q.mjs', 'export default import.meta.url.slice(-10)');
write('packages/node_modules/inner/index.js', 'module.exports = "inner"');
const kinds = { foo: './foo.js', bar: './bar.js', default: './default.js' };
write('node_modules/pick/package.json', JSON.stringify({ exports: { './a': kinds, './b': kinds, './c': kinds } }));
for (const kind of ['foo', 'bar', 'default']) write(`node_modules/pick/${kind}.js`, `module.exports = ${JSON.stringify(kind)}`);

const withHooks = (hooks, run) => {
  const made = m.registerHooks(hooks);
  run();
  made.deregister();
};
withHooks({ resolve: (s, c, n) => (s === 'zlib' ? { url: 'node:querystring', shortCircuit: true } : n(s, c)) }, () => {
  attempt('redirected', () => typeof require('zlib').parse);
  attempt('resolve', () => [require.resolve('zlib'), require.resolve('assert'), require.resolve('node:assert'), require.resolve('node:test')]);
});
withHooks({ resolve: (s, c, n) => (s === 'dns' ? { url: pathToFileURL('instead.js').href, shortCircuit: true } : n(s, c)) }, () =>
  attempt('a file instead of a builtin', () => require('dns')),
);
withHooks(
  { load: (url, c, n) => (url === 'node:tls' ? { source: 'exports.mine = 1', format: 'commonjs', shortCircuit: true } : n(url, c)) },
  () => {
    attempt('a text instead of a builtin', () => require('tls'));
    attempt('the others', () => typeof require('os').cpus);
  },
);
withHooks({ load: (url, c, n) => ({ ...n(url, c), format: undefined, source: 'export const text = "module"' }) }, () =>
  attempt('a text of no format', () => ({ ...require('./empty.js') })),
);
withHooks(
  {
    resolve: (s, c, n) => (s === 'other' ? { url: 'other://place', shortCircuit: true } : n(s, c)),
    load: (url, c, n) => (url === 'other://place' ? n(pathToFileURL('esm.js').href, c) : n(url, c)),
  },
  () => attempt('another file', () => Object.keys(require('other'))),
);
for (const source of [undefined, null, [], 5, true, {}])
  withHooks({ resolve: (s) => ({ url: `test://${s}`, shortCircuit: true }), load: () => ({ shortCircuit: true, source }) }, () =>
    attempt(`source ${JSON.stringify(source)}`, () => require(`x${JSON.stringify(source)}`)),
  );
for (const [name, conditions] of [['a', ['foo']], ['b', ['bar', 'import']], ['c', []], ['c', undefined], ['a', 'foo']])
  withHooks({ resolve: (s, c, n) => n(s, { ...c, conditions: Array.isArray(conditions) ? [...conditions, ...c.conditions] : conditions }) }, () =>
    attempt(`conditions ${JSON.stringify(conditions)}`, () => require.resolve(`pick/${name}`)),
  );
const asked = [];
withHooks({ resolve: (s, c, n) => (asked.push(s), n(s, c)) }, () => {
  attempt('paths', () => require.resolve('inner', { paths: ['packages'] }));
  attempt('asked', () => asked);
});
attempt('load list', () => [process.moduleLoadList.includes('NativeModule sqlite'), require('node:sqlite') && process.moduleLoadList.includes('NativeModule sqlite')]);
(async () => {
  const answer = (who) => `(s, c, n) => (s === 'which:x' ? { url: 'data:text/javascript,export default "${who}"', shortCircuit: true } : n(s, c))`;
  const before = m.registerHooks({ resolve: eval(answer('synchronous, registered before')) });
  write('loader.mjs', `export const resolve = ${answer('asynchronous')};`);
  process.on('warning', () => {});
  m.register('./loader.mjs', pathToFileURL('./'));
  console.log((await import('which:x')).default);
  before.deregister();
  const made = m.registerHooks({ resolve: (s, c, n) => n(s.replace('other:y', 'which:x'), c) });
  console.log((await import('other:y')).default);
  await import('./q.mjs?one').then((ns) => log(ns.default));
  made.deregister();
  write('broken.mjs', 'throw new Error("from broken")');
  attempt('a module of hooks that throws', () => m.register('./broken.mjs', pathToFileURL('./')));
})();
