// Module namespaces and generators are compared by their own properties, as plain objects are.
import { isDeepStrictEqual } from 'node:util';
import assert from 'node:assert';
import { writeFileSync } from 'node:fs';

writeFileSync('one.mjs', 'export const a = 1; export default { b: 2 };');
const one = await import('./one.mjs');
const likeOne = (members) => Object.defineProperty(Object.assign(Object.create(null), members), Symbol.toStringTag, { value: 'Module' });
const generator = function* () {};
const compare = (label, left, right) => console.log(label, isDeepStrictEqual(left, right), isDeepStrictEqual(right, left));
compare('object', one, { a: 1, default: { b: 2 } });
compare('without a prototype', one, Object.assign(Object.create(null), { a: 1, default: { b: 2 } }));
compare('tagged', one, likeOne({ a: 1, default: { b: 2 } }));
compare('tagged, other value', one, likeOne({ a: 1, default: { b: 3 } }));
compare('tagged, fewer members', one, likeOne({ a: 1 }));
compare('again', one, await import('./one.mjs?again'));
compare('generators', generator(), generator());
compare('generator and object', generator(), Object.create(generator.prototype));
for (const check of ['deepEqual', 'deepStrictEqual', 'partialDeepStrictEqual', 'notDeepStrictEqual']) {
  try {
    assert[check](one, likeOne({ a: 1, default: { b: 2 } }));
    console.log(check, 'holds');
  } catch (error) {
    console.log(check, error.code);
  }
}
console.log(JSON.stringify(Object.getOwnPropertyDescriptor(process, Symbol.toStringTag)));
const promise = Promise.resolve();
const weak = new WeakMap();
for (const [name, target] of Object.entries({ promise, weak, date: new Date(0), array: [1], error: new Error('x') })) {
  compare(`proxy of ${name}`, new Proxy(target, {}), target);
  compare(`${name} and its proxy`, target, new Proxy(target, {}));
}
compare('promises', promise, Promise.resolve());
