'use strict';
// Owns: node:stream/web, which is also where the global classes of Web streams come from.

// class -> the file it is in
const PLACES = {
  __proto__: null,
  ReadableStream: 'web_readable',
  ReadableStreamDefaultReader: 'web_readers',
  ReadableStreamBYOBReader: 'web_readers',
  ReadableStreamBYOBRequest: 'web_byte_classes',
  ReadableByteStreamController: 'web_byte_classes',
  ReadableStreamDefaultController: 'web_readable_default',
  TransformStream: 'web_transform',
  TransformStreamDefaultController: 'web_transform',
  WritableStream: 'web_writable',
  WritableStreamDefaultController: 'web_writable_controller',
  WritableStreamDefaultWriter: 'web_writer',
  ByteLengthQueuingStrategy: 'web_streams_strategies',
  CountQueuingStrategy: 'web_streams_strategies',
  TextEncoderStream: 'web_text_streams',
  TextDecoderStream: 'web_text_streams',
};
if (host.hasModule?.('web_compression')) Object.assign(PLACES, { CompressionStream: 'web_compression', DecompressionStream: 'web_compression' });

for (const name of Object.keys(PLACES)) {
  Object.defineProperty(exports, name, {
    enumerable: true, configurable: true,
    get: () => require(`./${PLACES[name]}`)[name],
  });
}
