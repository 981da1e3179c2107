// v8.serialize and v8.deserialize of common values, and further functions of node:v8.
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
{
  const said = (label, run) => {
    try {
      console.log(label, String(run()));
    } catch (error) {
      console.log(label, error.name, error.code, error.message);
    }
  };
  for (const value of [1, true, {}, [], null, Infinity, NaN, Symbol('x')]) {
    said('path', () => v8.writeHeapSnapshot(value));
    said('options', () => v8.writeHeapSnapshot('heap', value === undefined || Object.is(value, Object(value)) ? 1 : value));
    said('stream', () => typeof v8.getHeapSnapshot(Object.is(value, Object(value)) ? 'x' : value));
  }
  for (const options of [{ exposeInternals: 1 }, { exposeNumericValues: 'a' }]) {
    said('options', () => v8.writeHeapSnapshot('heap', options));
    said('stream', () => v8.getHeapSnapshot(options));
  }
  said('folder', () => v8.writeHeapSnapshot('/'));
  said('no folder', () => v8.writeHeapSnapshot('/none/heap'));
  said('name', () => v8.writeHeapSnapshot('heap'));
  said('bytes', () => v8.writeHeapSnapshot(Buffer.from('heap')));
  const fs = require('fs');
  said('URL', () => v8.writeHeapSnapshot(require('url').pathToFileURL('heap')) === require('path').resolve('heap'));
  said('usual name', () => /^Heap\.\d{8}\.\d{6}\.\d+\.\d+\.\d{3}\.heapsnapshot$/.test(v8.writeHeapSnapshot()));
  said('read', () => Object.keys(JSON.parse(fs.readFileSync('heap', 'utf8'))).length > 3);
}
