// @ts-check
'use strict';
// Owns: Bun's streams of type "direct": `pull` is called once with a controller that writes, flushes and ends. Each is
// implemented as an ordinary stream, so that any consumer can read it.

const { AnyThen } = require('internal/any_kind');
const { FunctionCall } = require('internal/primordials');
const { Hand } = require('web/streams/hand');

/** Converts the source of a direct stream to that of an ordinary stream. */
function ordinarySource(source) {
  const { start, pull, cancel } = source;
  const hand = new Hand();
  let isPulled = false;
  let hasWritten = false; // since the last pull
  const noteWritten = () => {
    hasWritten = true;
  };
  const finish = () => hand.finish();
  const fail = (error) => hand.fail(error);
  const face = {
    write: (chunk) => hand.write(chunk, noteWritten),
    flush() {
      return hand.isOver || !hasWritten || hand.controller.desiredSize > 0 ? 0 : hand.room(0);
    },
    end: finish,
    close: (error) => hand.close(error),
    error: fail,
  };
  const roomIsThere = () => {
    hasWritten = false;
    hand.roomIsThere();
  };
  return {
    start(given) {
      hand.controller = given;
      return start == null ? undefined : FunctionCall(start, source, face);
    },
    pull() {
      if (isPulled) {
        roomIsThere();
        return;
      }
      isPulled = true;
      const result = pull == null ? undefined : FunctionCall(pull, source, face);
      // Later pulls signal that there is room, so this one does not wait.
      if (typeof result?.then === 'function') AnyThen(result, finish, fail);
      else finish();
    },
    cancel(reason) {
      hand.isOver = true;
      roomIsThere();
      return cancel == null ? undefined : FunctionCall(cancel, source, reason);
    },
  };
}

module.exports = { ordinarySource };
