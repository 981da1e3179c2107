import _ from 'lodash';
import fp from 'lodash/fp.js';
import debounce from 'lodash/debounce.js';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

const people = [{ n: 'a', age: 3, tags: ['x'] }, { n: 'b', age: 1, tags: [] }, { n: 'c', age: 3 }];
await tried('collections', () => [_.groupBy(people, 'age'), _.keyBy(people, 'n').b, _.orderBy(people, ['age', 'n'], ['desc', 'desc']).map(({ n }) => n), _.partition(people, { age: 3 }).map((all) => all.length), _.chunk([1, 2, 3], 2), _.uniqBy([1.1, 1.9, 2], Math.floor), _.countBy('hello'), _.zipObjectDeep(['a.b[0].c'], [1]), _.sumBy(people, 'age')]);
await tried('objects', () => [_.merge({ a: [{ b: 1 }] }, { a: [{ c: 2 }, 3] }), _.get(people, '[0].tags[0]', 'none'), _.set({}, 'x[0].y', 1), _.pick(people[0], 'n'), _.omit(people[0], ['tags']), _.defaultsDeep({ a: { b: 1 } }, { a: { c: 2 } }), _.invert({ a: 'b' }), _.mapKeys({ a: 1 }, (v, k) => k + v)]);
await tried('clone', () => { const it = { d: new Date(0), r: /x/g, m: new Map([[1, new Set([2])]]), b: Buffer.from('b'), t: new Float32Array(2) }; it.self = it; const copy = _.cloneDeep(it); return [copy, copy.self === copy, _.isEqual(copy, it), copy.m !== it.m, _.isEqual(new Map([[{}, 1]]), new Map([[{}, 1]]))]; });
await tried('text', () => [_.camelCase('Foo bar-baz'), _.kebabCase('fooBar 12'), _.startCase('déjà vu'), _.deburr('crème'), _.truncate('long text', { length: 6 }), _.pad('x', 5, '-'), _.words('fred, & pebbles'), _.escape('<a&b>'), _.template('<% for (const n of list) { %><%- n %>;<% } %>${ x }')({ list: ['<', 2], x: 1 })]);
await tried('is', () => ['isArguments', 'isBuffer', 'isDate', 'isElement', 'isError', 'isMap', 'isNative', 'isPlainObject', 'isRegExp', 'isTypedArray', 'isWeakMap', 'isSymbol'].map((name) => [name, [(function () { return arguments; })(), Buffer.alloc(1), new Date(), new Error(), new Map(), Array.prototype.map, {}, /x/, new Uint8Array(1), new WeakMap(), Symbol()].map((value) => Number(_[name](value))).join('')]));
await tried('chain', () => _(people).filter((one) => one.age > 1).map('n').reverse().join('-')); await tried('fp', () => fp.flow(fp.map('age'), fp.uniq, fp.sortBy(fp.identity))(people)); await tried('curry', () => _.curry((a, b, c) => [a, b, c])(1)(_.__ ?? 2)(3));
await tried('debounce', () => new Promise((resolve) => { const calls = []; const late = debounce((n) => { calls.push(n); resolve(calls); }, 10); late(1); late(2); late(3); })); await tried('memoize', () => { let n = 0; const f = _.memoize(() => ++n); return [f(1), f(1), f(2)]; }); await tried('template error', () => _.template('<% throw new RangeError("in it") %>')());
