'use strict';
// Owns: the exports of node:stream, which is the class Stream itself with all else on it. What few programs use (pipelines
// of other things than streams, compose, pairs) is loaded when it is first called.

const { Stream, isUint8Array, toBuffer } = require('node/stream/legacy');
const Readable = require('node/stream/readable');
const Writable = require('node/stream/writable');
const Duplex = require('node/stream/duplex');
const { Transform, PassThrough } = require('node/stream/transform');
const { finished } = require('node/stream/finished');
const { pipeline } = require('node/stream/pipeline');
const { destroyer } = require('node/stream/destroy');
const { addAbortSignal } = require('node/stream/shared');
const kinds = require('internal/stream_kinds');
const marks = require('node/stream/marks');

const promisified = Symbol.for('nodejs.util.promisify.custom');

module.exports = Object.assign(Stream, {
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
  compose: (...streams) => require('node/stream/compose').compose(...streams),
  setDefaultHighWaterMark: marks.setDefaultHighWaterMark,
  getDefaultHighWaterMark: marks.getDefaultHighWaterMark,
});
Object.defineProperty(Stream, 'promises', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get: () => require('node/stream/promises'),
});
Object.assign(Stream, {
  Stream,
  _isArrayBufferView: ArrayBuffer.isView,
  _isUint8Array: isUint8Array,
  _uint8ArrayToBuffer: toBuffer,
});
for (const work of [pipeline, finished]) {
  Object.defineProperty(work, promisified, {
    __proto__: null,
    enumerable: true,
    get: () => require('node/stream/promises')[work.name],
  });
}
