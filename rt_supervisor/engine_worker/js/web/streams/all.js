// @ts-check
'use strict';
// Owns: node:stream/web, which also provides the global classes of Web streams.

// class -> its file
const { defineLazily } = require('internal/lazy');
const { ObjectKeys, intact } = require('internal/primordials');
const PLACES = {
  __proto__: null,
  ReadableStream: 'web/streams/readable',
  ReadableStreamDefaultReader: 'web/streams/readers',
  ReadableStreamBYOBReader: 'web/streams/readers',
  ReadableStreamBYOBRequest: 'web/streams/byte_classes',
  ReadableByteStreamController: 'web/streams/byte_classes',
  ReadableStreamDefaultController: 'web/streams/readable_default',
  TransformStream: 'web/streams/transform',
  TransformStreamDefaultController: 'web/streams/transform',
  WritableStream: 'web/streams/writable',
  WritableStreamDefaultController: 'web/streams/writable_controller',
  WritableStreamDefaultWriter: 'web/streams/writer',
  ByteLengthQueuingStrategy: 'web/streams/strategies',
  CountQueuingStrategy: 'web/streams/strategies',
  TextEncoderStream: 'web/streams/text',
  TextDecoderStream: 'web/streams/text',
  CompressionStream: 'web/streams/compression',
  DecompressionStream: 'web/streams/compression',
};

for (const name of intact(ObjectKeys(PLACES))) defineLazily(exports, name, () => require(PLACES[name])[name]);

exports.ReadableStreamTee = function ReadableStreamTee(stream, cloneForBranch2 = false) {
  const { ReadableStream, recordOf } = require('web/streams/readable');
  const { codes } = require('internal/errors/errors');
  if (!(stream instanceof ReadableStream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
  require('internal/validators').validateBoolean(cloneForBranch2, 'cloneForBranch2');
  return require('web/streams/tee').tee(recordOf(stream), cloneForBranch2);
};
