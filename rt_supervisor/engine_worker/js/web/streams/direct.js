// @ts-check
'use strict';
// Owns: streams of type "direct", as the peer has them: `pull` is called once with a controller that writes, flushes and ends.
// They are ordinary streams behind it, so that everybody can read them.

const { AnyThen } = require('internal/any_kind');
const { FunctionCall } = require('internal/primordials');
const { bytesOf } = require('internal/bytes');

/** The source of an ordinary stream for a direct one. */
function ordinarySource(source) {
  const { start, pull, cancel } = source;
  let controller;
  let isPulled = false;
  let isOver = false;
  let hasWritten = false; // since the reader last asked
  let wake; // resolves the promises of flush() that wait for room
  const finish = () => {
    if (isOver) return;
    isOver = true;
    controller.close();
  };
  const fail = (error) => {
    if (isOver) return;
    isOver = true;
    controller.error(error);
  };
  const face = {
    write(chunk) {
      if (isOver) throw new TypeError('The stream is closed');
      const bytes = typeof chunk === 'string' ? host.native.encodeUtf8(chunk) : bytesOf(chunk)?.slice();
      if (bytes === undefined) throw new TypeError('Expected a string, ArrayBuffer or view of one');
      if (bytes.length > 0) {
        hasWritten = true;
        controller.enqueue(bytes);
      }
      return bytes.length;
    },
    flush() {
      if (isOver || !hasWritten || controller.desiredSize > 0) return 0;
      return new Promise((resolve) => {
        const before = wake;
        wake = () => {
          before?.();
          resolve(0);
        };
      });
    },
    end: finish,
    close: (error) => {
      if (error === undefined) finish();
      else fail(error);
    },
    error: fail,
  };
  const roomIsThere = () => {
    hasWritten = false;
    const woken = wake;
    wake = undefined;
    woken?.();
  };
  return {
    start(given) {
      controller = given;
      return start == null ? undefined : FunctionCall(start, source, face);
    },
    pull() {
      if (isPulled) {
        roomIsThere();
        return;
      }
      isPulled = true;
      const result = pull == null ? undefined : FunctionCall(pull, source, face);
      // Later pulls say that there is room, so this one does not wait.
      if (typeof result?.then === 'function') AnyThen(result, finish, fail);
      else finish();
    },
    cancel(reason) {
      isOver = true;
      roomIsThere();
      return cancel == null ? undefined : FunctionCall(cancel, source, reason);
    },
  };
}

module.exports = { ordinarySource };
