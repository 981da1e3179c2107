const addon = require('./values.node');
const show = require('./show.cjs');

const samples = [undefined, null, true, 1, -0, 1.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32 + 5, -(2 ** 33), 2 ** 63, -(2 ** 63), 1e300, 9007199254740993, 'text', '12', Symbol('s'), 12n, {}, [], () => {}, new Date(5), Object(1)];
for (const sample of samples) {
  show(sample, addon.kind(sample), addon.numbers(sample));
  show(addon.coerced(sample));
}
show(addon.kind(...[]));
show(addon.made());
show(addon.wrongly_made());
for (const size of [0, 1, 2, 3, 5, 12]) show(size, addon.texts('häl€😀', size));
show(addon.texts('lone \ud800 end', 20), addon.texts(5, 20));
for (const big of [0n, 1n, -1n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), 2n ** 64n, -(2n ** 200n), 5]) show(big, addon.bigints(big));
show(addon.equal(1, 1), addon.equal(1, '1'), addon.equal(NaN, NaN), addon.equal('ab', 'ab'));
show(addon.dates(new Date(77)), addon.dates({}), addon.dates(77));
show(addon.script('1 + 2'), addon.script('throw new TypeError("from the script")'), addon.script('1 +'), addon.script(5));
show(addon.symbol('name'), addon.symbol(null), addon.symbol(5));
show(addon.version());
const objecting = { toString() { throw new Error('no text'); }, valueOf() { throw new Error('no number'); } };
show(addon.coerced(objecting));
