// util.types for every kind of value.
const { types } = require('util');
const values = {
  arguments: (function () { return arguments; })(), buffer: new ArrayBuffer(1), shared: new SharedArrayBuffer(1), view: new DataView(new ArrayBuffer(1)),
  bytes: new Uint8Array(1), async: async () => {}, generator: function* () {}, asyncGenerator: async function* () {}, running: (function* () {})(),
  boolean: Object(true), number: Object(1), string: Object('s'), symbol: Object(Symbol.iterator), bigint: Object(1n), date: new Date(0), regexp: /x/,
  map: new Map(), set: new Set(), weakMap: new WeakMap(), weakSet: new WeakSet(), mapIterator: new Map().keys(), setIterator: new Set().values(),
  promise: Promise.resolve(), proxy: new Proxy(new Date(0), {}), callableProxy: new Proxy(async () => {}, {}), error: new RangeError(), errorLike: Object.create(Error.prototype),
  plain: {}, array: [], nothing: null, missing: undefined, one: 1, text: 's', dateLike: Object.create(Date.prototype), other: Object.setPrototypeOf(new Date(0), null),
};
for (const [name, value] of Object.entries(values)) console.log(name, Object.keys(types).filter((test) => types[test](value)).join());
console.log(Object.keys(types).join(), Object.keys(types).filter((test) => types[test]()).length);
console.log(Object.entries(types).map(([, test]) => test.length).join(''));
