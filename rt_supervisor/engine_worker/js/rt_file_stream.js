'use strict';
// Owns: the bytes of a file as a ReadableStream, read as they are asked for; what may block is read beside the loop.

const native = host.native;
const sync = require('./fs_sync');

const CHUNK_BYTES = 256 * 1024;

/** `place` is a path or a descriptor; a path is opened at the first read and closed at the end. `onClose` is called then. */
function stream(place, start, end, onClose = () => {}) {
  let descriptor;
  let position = start;
  const isOwn = typeof place !== 'number';
  const close = () => {
    if (isOwn && descriptor !== undefined) sync.closeSync(descriptor);
    descriptor = undefined;
    onClose();
  };
  function next(size) {
    if (!native.fs_isSteady(descriptor)) {
      return new Promise((resolve, reject) => {
        native.fs_readLater(descriptor, size, (bytes) => (bytes instanceof Uint8Array ? resolve(bytes) : reject(bytes)));
      });
    }
    const buffer = new Uint8Array(size);
    const count = sync.readSync(descriptor, buffer, 0, size, isOwn ? position : null);
    return count === size ? buffer : buffer.subarray(0, count);
  }
  const { ReadableStream } = require('./web_readable');
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        descriptor ??= isOwn ? sync.openSync(place, 'r') : place;
        const size = Math.min(CHUNK_BYTES, end - position);
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
