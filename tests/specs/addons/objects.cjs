const addon = require('./objects.node');
const show = require('./show.cjs');

const symbol = Symbol('key');
const throwing = { get a() { throw new RangeError('from a getter'); }, set b(value) { throw value; } };
const proxy = new Proxy({}, {
  get() { throw new Error('trapped get'); }, has() { throw new Error('trapped has'); }, deleteProperty: () => false, ownKeys() { throw new Error('trapped keys'); },
});
const sample = Object.assign(Object.create({ inherited: 1 }), { a: 1, 2: 'two', [symbol]: 's' });

for (const object of [sample, throwing, proxy, 'text', 5, undefined, null, Object.freeze({ a: 1 })]) {
  for (const key of ['a', 2, symbol, 'inherited', 'none', null]) show(addon.get(object, key));
  if (object !== null) for (const key of ['a', 2, symbol, 'inherited']) show(addon.has(object, key), addon.remove_(object, key));
}
show(addon.set(sample, 'new', 5), sample, addon.set(throwing, 'b', new Error('thrown on')), addon.set(Object.freeze({}), 'a', 1), addon.set(undefined, 'a', 1));
show(addon.named({}), addon.named(undefined), addon.named(Object.freeze([])));
show(addon.elements([1, 2]), addon.elements({}), addon.elements('ab'), addon.elements(undefined));
const listed = Object.defineProperty(Object.assign(Object.create({ up: 1 }), { b: 1, 5: 1, a: 1, [symbol]: 1 }), 'hidden', { value: 1 });
for (const mode of [0, 1, 2]) for (const filter of [0, 1, 2, 4, 8, 16, 18]) for (const conversion of [0, 1, 5]) show(mode, filter, conversion, addon.names(listed, mode, filter, conversion));
show(addon.names(proxy, 0, 0, 0), addon.names(undefined, 0, 0, 0));
show(addon.prototype([])[1] === Array.prototype, addon.prototype(Object.create(null)), addon.prototype(undefined));
for (const seals of [true, false]) {
  const object = { a: 1 };
  show(addon.closed(object, seals), Object.isSealed(object), Object.isFrozen(object), addon.closed(new Uint8Array(2), seals));
}
show(addon.is_instance([], Array), addon.is_instance({}, Array), addon.is_instance({}, {}), addon.is_instance({}, undefined));
show(addon.is_instance({}, class { static [Symbol.hasInstance]() { throw new Error('asked'); } }));
show(addon.call({ a: 1 }, function (...all) { return [this, all]; }, 1, 2, 3), addon.call(null, () => {}), addon.call({}, null), addon.call({}, 5), addon.call(undefined, () => { throw new SyntaxError('thrown'); }));
show(addon.call(undefined, () => { throw undefined; }), addon.call(undefined, () => { throw 'text'; }));
show(addon.make(class A { constructor(...all) { this.all = all; } }, 1, 2), addon.make(() => {}), addon.make(5), addon.make(null), addon.make(class { constructor() { throw new Error('no'); } }));
show(addon.seen(), addon.seen.call('self', 1, 2, 3, 4).length, new addon.seen(1).length);
const target = {};
show(addon.define(target), Object.getOwnPropertyDescriptors(target), target.method(1).slice(0, 4), target.accessor.length, addon.define(Object.freeze({})));
target.accessor = 5;
const functions = addon.function();
show(functions, functions[0][1](1)[6], functions[0][1].name, functions[1][1].name, functions[0][1].length, typeof functions[0][1].prototype);
const [[, Thing], ...others] = addon.define_class();
show(Thing, others, Thing.name, Thing.length, Object.getOwnPropertyDescriptors(Thing.prototype), Object.keys(Thing), Thing.COUNT);
const thing = new Thing('here');
show(thing, thing instanceof Thing, thing.method(1).slice(0, 4), thing.accessor[6], thing.constant, Thing.create(1)[6]);
class More extends Thing { extra() { return this.method(2)[1]; } }
show(new More('more'), new More(1).extra(), new More() instanceof Thing);
for (const wrong of [() => Thing(), () => Thing.prototype.method.call({}), () => Thing.prototype.accessor[0], () => { 'use strict'; thing.constant = 5; }]) {
  try { show(wrong()); } catch (error) { show(error, error.code); }
}
