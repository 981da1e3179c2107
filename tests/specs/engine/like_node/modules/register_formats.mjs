// Arguments and results of hooks installed with `register`: formats, contexts, attributes, CommonJS with and without a
// source.
import fs from 'node:fs';
import { register } from 'node:module';
const files = {
  'plain.js': 'module.exports = require("./below.js")',
  'below.js': 'module.exports = "below"',
  'given.cjs': 'module.exports = require("./other.js")',
  'module.js': 'export default 1',
  'types.ts': 'export const x: number = 1',
  'old.ts': 'const x: number = 1; module.exports = x',
  'data.json': '{ "a": 1 }',
};
for (const name in files) fs.writeFileSync(name, files[name]);
fs.writeFileSync('other.js', 'module.exports = "other"');
fs.writeFileSync('hooks.mjs', `
import fs from 'node:fs';
const say = (...words) => fs.writeSync(1, words.join(' ') + '\\n');
const nameOf = (url) => url.split('/').pop();
export async function initialize(data) { say('initialize', data, this === undefined); }
export async function resolve(specifier, context, next) {
  const own = specifier.startsWith('own:');
  if (own || specifier.includes('.js')) say('resolve', own ? specifier : nameOf(specifier), Reflect.ownKeys(context), JSON.stringify(context.importAttributes), this === undefined);
  if (own) return { shortCircuit: true, url: specifier, importAttributes: { type: 'none' } };
  return next(specifier, context);
}
export async function load(url, context, next) {
  const source = {
    'own:unknown': ['esm', ''], 'own:none': ['module', null], 'own:string': ['module', 'export default "text"'], 'own:object': ['module', {}],
    'own:shared': ['module', new SharedArrayBuffer(0)], 'own:wasm': ['wasm', Buffer.from('0061736d01000000', 'hex')],
  }[url];
  if (url.startsWith('own:')) say('load', url, Reflect.ownKeys(context), JSON.stringify(context.importAttributes));
  if (source) return { shortCircuit: true, format: source[0], source: source[1] };
  const found = await next(url, context);
  if (url.startsWith('file:')) say('load', nameOf(url), context.format, found.format, found.source?.constructor.name ?? found.source);
  return url.endsWith('given.cjs') ? { ...found, source: fs.readFileSync(new URL(url)) } : found;
}
`);
register('./hooks.mjs', import.meta.url, { data: 'data' });
const shown = (it) => JSON.stringify(it.default ?? Object.keys(it));
const fail = (error) => `${error.name} ${error.code} ${error.message.replace(/"file:[^"]*hooks.mjs/, '"<hooks>')}`;
for (const name in files) console.log(name, await import(`./${name}`, name === 'data.json' ? { with: { type: 'json' } } : undefined).then(shown, fail));
console.log('wasm', await import('own:wasm').then((it) => typeof it, fail));
for (const name of ['unknown', 'none', 'string', 'object', 'shared'])
  console.log(name, await import(`own:${name}`).then(shown, fail));
