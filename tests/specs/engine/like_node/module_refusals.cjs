// What packages do not let out, or do not define: code, class and message of require, require.resolve and import.
const fs = require('node:fs');
const write = (name, value) => {
  fs.mkdirSync(require('path').dirname(name), { recursive: true });
  fs.writeFileSync(name, typeof value === 'string' ? value : JSON.stringify(value));
};
write('package.json', { name: 'self', exports: { './only': './only.js' }, imports: { '#known': { other: './only.js' } } });
write('node_modules/p/package.json', { exports: { './a': './a.js', './n': { other: './a.js' }, './bad': 'nowhere' } });
write('node_modules/p/a.js', '');
write('node_modules/empty/package.json', { exports: {} });
const wanted = ['p', 'p/b', 'p/n', 'p/bad', 'p/package.json', 'empty', 'self', 'self/x', '#known', '#unknown', 'gone'];
const say = (kind, name, error) => console.log(kind, name, error.code, error.message.split('\n')[0]);
for (const name of wanted) {
  try {
    require(name);
  } catch (error) {
    say('require', name, error);
  }
  try {
    require.resolve(name);
  } catch (error) {
    say('resolve', name, error);
  }
}
(async () => {
  for (const name of wanted) await import(name).catch((error) => say('import', name, error));
})();
