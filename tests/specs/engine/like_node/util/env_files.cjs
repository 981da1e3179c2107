// util.parseEnv, process.loadEnvFile and --env-file read files alike; Node's form applies to a program that sees Node only.
const { spawnSync } = require('node:child_process');
const { symlinkSync, writeFileSync } = require('node:fs');

const SHOW = `
const { readFileSync } = require('node:fs');
const { parseEnv } = require('node:util');
for (const text of JSON.parse(readFileSync('texts.json', 'utf8'))) {
  console.log(JSON.stringify(text), JSON.stringify(parseEnv(text)));
}
const variables = parseEnv(readFileSync('a.env', 'utf8'));
console.log(Object.getPrototypeOf(variables), Object.keys(variables));
const show = () => Object.keys(variables).map((name) => process.env[name]);
console.log('flag', JSON.stringify(show()));
for (const name of Object.keys(variables)) if (name !== 'A') delete process.env[name];
process.loadEnvFile('a.env');
console.log('loaded', JSON.stringify(show()));
for (const value of [undefined, 5, null]) try { parseEnv(value) } catch (error) { console.log(error.message) }
`;
const PARTS = [
  ...['A', 'B', 'export ', 'export', '=', '=', '=', ' ', '\n', '\n', '\n', '"', "'", '`', '#', '\\', '\\n', '\\"', ':', ': '],
  ...['\t', 'x y', 'é', '\r\n', '\r', '1', '-', '.', '$A', '\ufeff', '__proto__'],
];
let state = 7;
const random = (below) => {
  state = (state * 1103515245 + 12345) & 0x7fffffff;
  return (state >> 8) % below;
};
const texts = Array.from({ length: 1500 }, () =>
  Array.from({ length: 1 + random(14) }, () => PARTS[random(PARTS.length)]).join(''),
);
writeFileSync('texts.json', JSON.stringify(texts));
writeFileSync('a.env', 'B: 1\nA="a\\"b"\nC="x\\ry\\nz"\nexport D=$C # c\n1E=5\nF-G = 6 \nH H=`q`\nI="two\nlines"\n=J\nK=\nL');
writeFileSync('show.cjs', SHOW);
symlinkSync(process.execPath, 'node');
const { stdout, stderr } = spawnSync('./node', ['--env-file=a.env', 'show.cjs'], { encoding: 'utf8' });
console.log(stdout, stderr);
