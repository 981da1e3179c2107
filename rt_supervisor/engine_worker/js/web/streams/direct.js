// @ts-check
'use strict';
// Owns: Bun's streams of type "direct": `pull` is called once with a controller that writes, flushes and ends. Each is
// implemented as an ordinary stream, so that any consumer can read it.

const { AnyThen } = require('internal/any_kind');
const { FunctionCall } = require('internal/primordials');
const { ProgramWriter } = require('web/streams/program_writer');

/** Converts the source of a direct stream to that of an ordinary stream. */
function ordinarySource(source) {
  const { start, pull, cancel } = source;
  const writer = new ProgramWriter();
  let isPulled = false;
  let hasWritten = false; // since the last pull
  const onWritten = () => {
    hasWritten = true;
  };
  const finish = () => writer.finish();
  const fail = (error) => writer.fail(error);
  const face = {
    write: (chunk) => writer.write(chunk, onWritten),
    flush() {
      return writer.isOver || !hasWritten || writer.controller.desiredSize > 0 ? 0 : writer.room(0);
    },
    end: finish,
    close: (error) => writer.close(error),
    error: fail,
  };
  const releaseRoom = () => {
    hasWritten = false;
    writer.releaseRoom();
  };
  return {
    start(controller) {
      writer.controller = controller;
      return start == null ? undefined : FunctionCall(start, source, face);
    },
    pull() {
      if (isPulled) {
        releaseRoom();
        return;
      }
      isPulled = true;
      const result = pull == null ? undefined : FunctionCall(pull, source, face);
      // Later pulls signal that there is room, so this one does not wait.
      if (typeof result?.then === 'function') AnyThen(result, finish, fail);
      else finish();
    },
    cancel(reason) {
      writer.isOver = true;
      releaseRoom();
      return cancel == null ? undefined : FunctionCall(cancel, source, reason);
    },
  };
}

module.exports = { ordinarySource };
