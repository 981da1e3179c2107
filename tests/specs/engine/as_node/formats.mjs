// What an import needs besides a file: a known format, and attributes that fit it.
import { createRequire } from 'node:module';

const here = new URL('.', import.meta.url);
const shown = (text) => `${text}`.replaceAll(here.href, '<URL>').replaceAll(here.pathname, '<DIR>');
const JSON_URL = 'data:application/json,{"x":1}';
const JS_URL = 'data:text/javascript,export default 1';
const json = { with: { type: 'json' } };
for (const [specifier, options] of [
  ['./data.json'], ['./data.json', json], ['./data.json', { with: { type: 'css' } }], ['./data.json', { with: { other: 'json' } }],
  ['./plain.mjs', json], ['./text.unknown'], ['./broken.json', json], [JSON_URL], [JSON_URL, json], [JS_URL, json], [JS_URL],
  ['data:text/plain,a'], ['data:,a'], ['data:application/json,{', json],
]) {
  const outcome = await import(specifier, options).then(
    (namespace) => Object.keys(namespace).join(),
    (error) => `${error.code} ${error.constructor.name} ${shown(error.message)}`,
  );
  console.log(specifier, JSON.stringify(options), outcome);
}
const { default: imported } = await import('./data.json', json);
const require = createRequire(import.meta.url);
console.log('shared with require', require('./data.json') === imported);
console.log(Reflect.ownKeys(import.meta).join());
console.log((await import('./plain.mjs')).b);
await import('./uses_require.mjs').catch((error) => console.log(error.name, error.message));
console.log(Object.keys(await import('./compiled.cjs')).join());
