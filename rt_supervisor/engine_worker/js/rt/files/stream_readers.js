// @ts-check
'use strict';
// Owns: RT.readableStreamTo…: reading a stream to its end as text, bytes, JSON, a Blob, a form or its chunks.

const { intactAsync } = require('internal/async_iteration');
const { ArrayPush, FunctionCall, ObjectAssign, ObjectDefineProperty } = require('internal/primordials');
const { READERS } = require('web/streams/readers_to_end');

function check(stream) {
  const { ReadableStream } = require('web/streams/readable');
  if (stream instanceof ReadableStream) return;
  const received = require('internal/errors/text').describeReceived(stream);
  const error = new TypeError(`The "stream" argument must be of type ReadableStream. Received ${received}`);
  throw ObjectAssign(error, { code: 'ERR_INVALID_ARG_TYPE' });
}

const reader = (name, read) =>
  ({
    [name](stream) {
      check(stream);
      return FunctionCall(read, stream);
    },
  })[name];

async function toArray() {
  const chunks = [];
  for await (const chunk of intactAsync(this)) ArrayPush(chunks, chunk);
  return chunks;
}

/** Parses a form: multipart if a boundary is given, otherwise URL-encoded. */
function readableStreamToFormData(stream, boundary = undefined) {
  check(stream);
  const type = boundary === undefined ? 'application/x-www-form-urlencoded' : `multipart/form-data; boundary=${boundary}`;
  const { Response } = /** @type {any} */ (require('web/fetch/response'));
  return new Response(stream, { headers: { 'content-type': type } }).formData();
}
ObjectDefineProperty(readableStreamToFormData, 'length', { __proto__: null, value: 1 });

module.exports = {
  readableStreamToArray: reader('readableStreamToArray', toArray),
  readableStreamToArrayBuffer: reader('readableStreamToArrayBuffer', READERS.arrayBuffer),
  readableStreamToBytes: reader('readableStreamToBytes', READERS.bytes),
  readableStreamToBlob: reader('readableStreamToBlob', READERS.blob),
  readableStreamToFormData,
  readableStreamToJSON: reader('readableStreamToJSON', READERS.json),
  readableStreamToText: reader('readableStreamToText', READERS.text),
};
