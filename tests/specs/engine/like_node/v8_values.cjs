const v8 = require('node:v8');
const util = require('node:util');
const value = { map: new Map([[1, [2n]]]), date: new Date(0), bytes: new Uint8Array([1, 2]), pattern: /x/g, set: new Set(['q']), nothing: undefined, text: 'é✓', zero: -0 };
value.self = value;
const copy = v8.deserialize(v8.serialize(value));
console.log(util.inspect(copy), copy.self === copy, Buffer.isBuffer(v8.serialize(1)));
for (const each of [undefined, null, -0, NaN, 1n, 'x', [1, , 3], true]) console.log(util.inspect(v8.deserialize(v8.serialize(each))));
for (const work of [() => v8.serialize(() => 1), () => v8.serialize(Symbol('s')), () => v8.deserialize('x')]) {
  try {
    work();
  } catch (error) {
    console.log(error.message);
  }
}
const figures = v8.getHeapStatistics();
console.log(['total_heap_size', 'used_heap_size', 'heap_size_limit', 'external_memory'].map((name) => typeof figures[name]).join());
console.log(v8.isStringOneByteRepresentation('é'), v8.isStringOneByteRepresentation('✓'), typeof v8.cachedDataVersionTag(), v8.cachedDataVersionTag() === v8.cachedDataVersionTag());
const constants = require('node:constants');
console.log(constants.ENOENT, constants.SIGTERM, constants.O_RDONLY, constants.PRIORITY_LOW, constants.RTLD_NOW, constants.S_IFMT);
