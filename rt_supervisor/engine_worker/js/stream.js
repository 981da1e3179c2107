'use strict';
// Owns: the exports of node:stream, which is the class Stream itself with all else on it. What few programs use (pipelines
// of other things than streams, compose, pairs) is loaded when it is first called.

const { Stream, isUint8Array, toBuffer } = require('./stream_legacy');
const Readable = require('./stream_readable');
const Writable = require('./stream_writable');
const Duplex = require('./stream_duplex');
const { Transform, PassThrough } = require('./stream_transform');
const { finished } = require('./stream_finished');
const { pipeline } = require('./stream_pipeline');
const { destroyer } = require('./stream_destroy');
const { addAbortSignal } = require('./stream_shared');
const kinds = require('./stream_kinds');
const marks = require('./stream_marks');

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
  duplexPair: (options) => require('./stream_pair').duplexPair(options),
  pipeline,
  addAbortSignal,
  finished,
  destroy: destroyer,
  compose: (...streams) => require('./stream_compose').compose(...streams),
  setDefaultHighWaterMark: marks.setDefaultHighWaterMark,
  getDefaultHighWaterMark: marks.getDefaultHighWaterMark,
});
Object.defineProperty(Stream, 'promises', { enumerable: true, configurable: true, get: () => require('./stream_promises') });
Object.assign(Stream, { Stream, _isArrayBufferView: ArrayBuffer.isView, _isUint8Array: isUint8Array, _uint8ArrayToBuffer: toBuffer });
for (const work of [pipeline, finished]) {
  Object.defineProperty(work, promisified, { enumerable: true, get: () => require('./stream_promises')[work.name] });
}
