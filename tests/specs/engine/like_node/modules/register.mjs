// Asynchronous hooks that live in a separate module.
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';

writeFileSync('asked.mjs', `
let word = '';
export async function initialize(data) { word = data.word; }
export async function resolve(specifier, context, next) {
  if (specifier === 'made:up') return { url: 'made:up', shortCircuit: true, format: 'module' };
  return next(specifier, context);
}
export async function load(url, context, next) {
  if (url === 'made:up') return { format: 'module', source: 'export default ' + JSON.stringify(word), shortCircuit: true };
  const loaded = await next(url, context);
  return url.endsWith('file.mjs') ? { ...loaded, source: String(loaded.source).replace('one', 'two') } : loaded;
}`);
writeFileSync('file.mjs', 'import word from "made:up"; export default [word, "one"];');
register('./asked.mjs', import.meta.url, { data: { word: 'said' } });
try {
  register('./nothing.mjs', import.meta.url);
} catch (error) {
  console.log(error.name, error.code);
}
console.log((await import('made:up')).default, JSON.stringify((await import('./file.mjs')).default));
