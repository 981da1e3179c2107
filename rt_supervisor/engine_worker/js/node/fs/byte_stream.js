'use strict';
// Owns: a file as a ReadableStream of bytes, read on demand; reads that may block happen off the event loop.

const { MathMin, TypedArraySubarray } = require('internal/primordials');
const native = host.native;
const sync = require('node/fs/sync');
const requests = require('node/fs/requests');
const { promiseRequest, promiseOf } = require('node/fs/promised');

const CHUNK_BYTES = 256 * 1024;

/**
 * `place` is a path or a descriptor. A path is opened at the first read and closed at the end, before `onClose` is called.
 */
function stream(place, start, end, onClose = () => {}) {
  let descriptor;
  let position = start;
  const isOwn = typeof place !== 'number';
  const close = () => {
    if (isOwn && descriptor !== undefined) sync.closeSync(descriptor);
    descriptor = undefined;
    onClose();
  };
  async function next(size) {
    const buffer = new Uint8Array(size);
    const count = await promiseOf((done) => native.fs_read(descriptor, buffer, 0, size, isOwn ? position : undefined, done));
    return count === size ? buffer : TypedArraySubarray(buffer, 0, count);
  }
  const { ReadableStream } = require('web/streams/readable');
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        descriptor ??= isOwn ? await promiseRequest(requests.open(place, 'r')) : place;
        const size = MathMin(CHUNK_BYTES, end - position);
        const bytes = size > 0 ? await next(size) : new Uint8Array(0);
        position += bytes.length;
        if (bytes.length > 0) {
          controller.enqueue(bytes);
          return;
        }
        close();
        controller.close();
        controller.byobRequest?.respond(0);
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  });
}

module.exports = { stream };
