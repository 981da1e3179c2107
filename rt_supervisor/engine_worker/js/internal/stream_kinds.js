// @ts-check
'use strict';
// Owns: predicates for any stream, including duck-typed objects of packages: which sides it has, and whether a side is open,
// ended, failed or destroyed. Results are true, false, or null if the question does not apply.

const { ArrayEvery, ArraySome, SymbolFor } = require('internal/primordials');
const kIsDestroyed = SymbolFor('nodejs.stream.destroyed');
const kIsErrored = SymbolFor('nodejs.stream.errored');
const kIsReadable = SymbolFor('nodejs.stream.readable');
const kIsWritable = SymbolFor('nodejs.stream.writable');
const kIsDisturbed = SymbolFor('nodejs.stream.disturbed');
const kIsClosedPromise = SymbolFor('nodejs.webstream.isClosedPromise');
const kControllerErrorFunction = SymbolFor('nodejs.webstream.controllerErrorFunction');

const isFunction = (value) => typeof value === 'function';
const orNull = (value) => (typeof value === 'boolean' ? value : null);
/** Returns whether a value is a non-function object: functions are not streams. */
const isObject = (value) => typeof value === 'object' && value !== null;

function isReadableNodeStream(value, strict = false) {
  return Boolean(
    value &&
    isFunction(value.pipe) &&
    isFunction(value.on) &&
    (!strict || (isFunction(value.pause) && isFunction(value.resume))) &&
    (!value._writableState || value._readableState?.readable !== false) && // a duplex may have disabled its readable side
    (!value._writableState || value._readableState), // a plain writable has pipe() as well
  );
}

function isWritableNodeStream(value) {
  return Boolean(
    value &&
    isFunction(value.write) &&
    isFunction(value.on) &&
    (!value._readableState || value._writableState?.writable !== false),
  );
}

const isDuplexNodeStream = (value) =>
  Boolean(value && isFunction(value.pipe) && value._readableState && isFunction(value.on) && isFunction(value.write));

const isNodeStream = (value) =>
  Boolean(
    value &&
    (value._readableState ||
      value._writableState ||
      (isFunction(value.write) && isFunction(value.on)) ||
      (isFunction(value.pipe) && isFunction(value.on))),
  );

const isReadableStream = (value) =>
  Boolean(
    value && !isNodeStream(value) && isFunction(value.pipeThrough) && isFunction(value.getReader) && isFunction(value.cancel),
  );
const isWritableStream = (value) =>
  Boolean(value && !isNodeStream(value) && isFunction(value.getWriter) && isFunction(value.abort));
const isTransformStream = (value) =>
  Boolean(value && !isNodeStream(value) && isObject(value.readable) && isObject(value.writable));
const isWebStream = (value) => isReadableStream(value) || isWritableStream(value) || isTransformStream(value);

function isIterable(value, isAsync) {
  if (value == null) return false;
  if (isAsync === true) return isFunction(value[Symbol.asyncIterator]);
  if (isAsync === false) return isFunction(value[Symbol.iterator]);
  return isFunction(value[Symbol.asyncIterator]) || isFunction(value[Symbol.iterator]);
}

function isDestroyed(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  return Boolean(stream.destroyed || stream[kIsDestroyed] || state?.destroyed);
}

function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableEnded === true) return true;
  const state = stream._writableState;
  return state?.errored ? false : orNull(state?.ended);
}

/** With `strict === false`, a side that has ended and has an empty buffer counts as finished before its event is emitted. */
function isWritableFinished(stream, strict) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableFinished === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  if (typeof state?.finished !== 'boolean') return null;
  return state.finished || (strict === false && state.ended === true && state.length === 0);
}

function isReadableEnded(stream) {
  if (!isReadableNodeStream(stream)) return null;
  if (stream.readableEnded === true) return true;
  const state = stream._readableState;
  if (!state || state.errored) return false;
  return orNull(state.ended);
}

function isReadableFinished(stream, strict) {
  if (!isReadableNodeStream(stream)) return null;
  const state = stream._readableState;
  if (state?.errored) return false;
  if (typeof state?.endEmitted !== 'boolean') return null;
  return state.endEmitted || (strict === false && state.ended === true && state.length === 0);
}

function isReadable(stream) {
  if (stream && stream[kIsReadable] != null) return stream[kIsReadable];
  if (typeof stream?.readable !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  return isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  if (stream && stream[kIsWritable] != null) return stream[kIsWritable];
  if (typeof stream?.writable !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  return isWritableNodeStream(stream) && stream.writable && !isWritableEnded(stream);
}

function isFinished(stream, sides) {
  if (!isNodeStream(stream)) return null;
  if (isDestroyed(stream)) return true;
  if (sides?.readable !== false && isReadable(stream)) return false;
  return !(sides?.writable !== false && isWritable(stream));
}

const erroredBy = (name) => (stream) => {
  if (!isNodeStream(stream)) return null;
  return stream[`${name}Errored`] || (stream[`_${name}State`]?.errored ?? null);
};

const isServerResponse = (stream) => typeof stream._sent100 === 'boolean' && isOutgoingMessage(stream);
const isServerRequest = (stream) =>
  typeof stream._consuming === 'boolean' && typeof stream._dumped === 'boolean' && stream.req?.upgradeOrConnect === undefined;
const isOutgoingMessage = (stream) =>
  ArrayEvery(
    ['_closed', '_defaultKeepAlive', '_removedConnection', '_removedContLen'],
    (name) => typeof stream[name] === 'boolean',
  );
/** A client request is aborted, not destroyed. */
const isRequest = (stream) => stream?.setHeader && isFunction(stream.abort);

function isClosed(stream) {
  if (!isNodeStream(stream)) return null;
  if (typeof stream.closed === 'boolean') return stream.closed;
  const states = [stream._writableState?.closed, stream._readableState?.closed];
  if (ArraySome(states, (closed) => typeof closed === 'boolean')) return Boolean(states[0] || states[1]);
  return typeof stream._closed === 'boolean' && isOutgoingMessage(stream) ? stream._closed : null;
}

/** Returns whether a 'close' event will be emitted, or null for a value that is not a stream. */
function willEmitClose(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  return (!state && isServerResponse(stream)) || Boolean(state && state.autoDestroy && state.emitClose && state.closed === false);
}

const isDisturbed = (stream) => Boolean(stream && (stream[kIsDisturbed] ?? (stream.readableDidRead || stream.readableAborted)));

const isErrored = (stream) =>
  Boolean(
    stream &&
    (stream[kIsErrored] ??
      stream.readableErrored ??
      stream.writableErrored ??
      stream._readableState?.errorEmitted ??
      stream._writableState?.errorEmitted ??
      stream._readableState?.errored ??
      stream._writableState?.errored),
  );

module.exports = {
  kIsDestroyed,
  kIsErrored,
  kIsReadable,
  kIsWritable,
  kIsDisturbed,
  kIsClosedPromise,
  kControllerErrorFunction,
  isReadableNodeStream,
  isWritableNodeStream,
  isDuplexNodeStream,
  isNodeStream,
  isReadableStream,
  isWritableStream,
  isTransformStream,
  isWebStream,
  isIterable,
  isDestroyed,
  isClosed,
  isFinished,
  isReadable,
  isWritable,
  isReadableEnded,
  isReadableFinished,
  isWritableEnded,
  isWritableFinished,
  isReadableErrored: erroredBy('readable'),
  isWritableErrored: erroredBy('writable'),
  isServerRequest,
  isServerResponse,
  isRequest,
  willEmitClose,
  isDisturbed,
  isErrored,
};
