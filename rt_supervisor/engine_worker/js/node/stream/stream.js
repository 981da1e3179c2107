// @ts-check
'use strict';
// Owns: the exports of node:stream: the class Stream with everything else as its properties. Less common parts (pipelines of
// other values than streams, compose, pairs) are loaded when first called.

const {
  ArrayBufferIsView,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectHasOwn,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { Stream, isUint8Array, toBuffer } = require('node/stream/legacy');
const Readable = require('node/stream/readable');
const Writable = require('node/stream/writable');
const Duplex = require('node/stream/duplex');
const { Transform, PassThrough } = require('node/stream/transform');
const { finished } = require('node/stream/finished');
const { pipeline } = require('node/stream/pipeline');
const { destroyer } = require('node/stream/destroy');
const { addAbortSignal } = require('node/stream/abort_signals');
const kinds = require('internal/stream_kinds');
const marks = require('node/stream/marks');

const promisified = SymbolFor('nodejs.util.promisify.custom');

module.exports = ObjectAssign(Stream, {
  isDestroyed: kinds.isDestroyed,
  isDisturbed: kinds.isDisturbed,
  isErrored: kinds.isErrored,
  isReadable: kinds.isReadable,
  isWritable: kinds.isWritable,
  Readable,
  Writable,
  Duplex,
  Transform,
  PassThrough,
  duplexPair: (options) => require('node/stream/pair').duplexPair(options),
  pipeline,
  addAbortSignal,
  finished,
  destroy: destroyer,
  compose: (...streams) => require('node/stream/compose').compose(...intact(streams)),
  setDefaultHighWaterMark: marks.setDefaultHighWaterMark,
  getDefaultHighWaterMark: marks.getDefaultHighWaterMark,
});
ObjectDefineProperty(Stream, 'promises', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get: () => require('node/stream/promises'),
});
ObjectAssign(Stream, {
  Stream,
  _isArrayBufferView: ArrayBufferIsView,
  _isUint8Array: isUint8Array,
  _uint8ArrayToBuffer: toBuffer,
});
for (const work of intact([pipeline, finished])) {
  if (ObjectHasOwn(work, promisified)) continue; // an earlier load of this file was interrupted
  ObjectDefineProperty(work, promisified, {
    __proto__: null,
    enumerable: true,
    get: () => require('node/stream/promises')[work.name],
  });
}
