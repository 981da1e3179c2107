// @ts-check
'use strict';
// Owns: ReadableStreamPipeTo (Streams standard §4.9.1): writes chunks while the destination has room, and ends in one of four
// ways.

const { AnyThen } = require('internal/any_kind');
const { ArrayMap, ArrayPush, PromiseThen } = require('internal/primordials');
const { PromiseAll, PromiseResolve, PromiseWithResolvers } = require('internal/promises');
const { codes } = require('internal/errors/errors');
const { dictionary, stateError, nothing } = require('web/streams/basics');
const readable = require('web/streams/readable');
const { ReaderRecord } = require('web/streams/readers');
const { WriterRecord } = require('web/streams/writer');

function optionsOf(options) {
  // Members are read and converted in order of their names (Web IDL, dictionaries).
  const dict = dictionary(options ?? undefined, 'options');
  const preventAbort = Boolean(dict.preventAbort);
  const preventCancel = Boolean(dict.preventCancel);
  const preventClose = Boolean(dict.preventClose);
  const { signal } = dict;
  if (signal !== undefined) {
    const { AbortSignal } = require('web/abort');
    if (!(signal instanceof AbortSignal)) throw new codes.ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', signal);
  }
  return { __proto__: null, preventClose, preventAbort, preventCancel, signal };
}

const inMicrotask = (work) => PromiseThen(PromiseResolve(), work);

/** The writes of a pipe, as one request for all of them: nothing waits for a single one. */
class Writes {
  #pending = 0;
  #idle = PromiseResolve();
  #onIdle = nothing;

  begun() {
    this.#pending++;
    return this;
  }
  resolve() {
    if (--this.#pending === 0) this.#onIdle();
  }
  reject() {
    this.resolve();
  }
  /** Waits until no write is pending; more may begin meanwhile. */
  async areDone() {
    do {
      if (this.#pending > 0) {
        const { promise, resolve } = PromiseWithResolvers();
        this.#idle = promise;
        this.#onIdle = resolve;
      }
      await PromiseThen(this.#idle); // as many microtasks as in Node
    } while (this.#pending > 0);
  }
}

function pipeTo(source, target, { preventClose, preventAbort, preventCancel, signal }) {
  const reader = new ReaderRecord(source, false);
  const writer = new WriterRecord(target);
  source.disturbed = true;
  const { promise, resolve, reject } = PromiseWithResolvers();
  let isShuttingDown = false;
  let forgetSignal = nothing;
  const writes = new Writes();

  /** "finalize" */
  function finalize(isError, error) {
    if (writer.stream !== undefined) writer.release();
    if (reader.stream !== undefined) reader.release();
    forgetSignal();
    if (isError) reject(error);
    else resolve(undefined);
  }

  /** "shutdown with an action", or without one: chunks that have been read are written first. */
  function shutDown(action, isError, error) {
    if (isShuttingDown) return;
    isShuttingDown = true;
    const act = () => {
      if (action === undefined) {
        finalize(isError, error);
        return;
      }
      AnyThen(
        action(),
        () => finalize(isError, error),
        (another) => finalize(true, another),
      );
    };
    // Chunks that have been read are written first; more may arrive meanwhile.
    if (target.state === 'writable' && !target.isClosing) PromiseThen(writes.areDone(), act);
    else act();
  }

  if (signal !== undefined) {
    const abort = () => {
      const { reason } = signal;
      const actions = [];
      if (!preventAbort) ArrayPush(actions, () => (target.state === 'writable' ? target.abort(reason) : PromiseResolve()));
      if (!preventCancel)
        ArrayPush(actions, () => (source.state === 'readable' ? readable.cancel(source, reason) : PromiseResolve()));
      shutDown(() => PromiseAll(ArrayMap(actions, (action) => action())), true, reason);
    };
    if (signal.aborted) {
      abort();
      return promise;
    }
    forgetSignal = require('web/abort').addAbortAlgorithm(signal, abort);
  }

  // Errors must be propagated forward, errors backward, closing forward, closing backward.
  const onSourceError = (error) => {
    if (!preventAbort) shutDown(() => target.abort(error), true, error);
    else shutDown(undefined, true, error);
  };
  const onTargetError = (error) => {
    if (!preventCancel) shutDown(() => readable.cancel(source, error), true, error);
    else shutDown(undefined, true, error);
  };
  const onSourceClosed = () => {
    if (!preventClose) shutDown(() => writer.closePassingErrors());
    else shutDown();
  };
  if (source.state === 'errored') onSourceError(source.storedError);
  else if (target.state === 'erroring' || target.state === 'errored') onTargetError(target.storedError);
  else if (source.state === 'closed') onSourceClosed();
  else if (target.isClosing || target.state === 'closed') {
    const error = stateError('Destination WritableStream is closed');
    if (!preventCancel) shutDown(() => readable.cancel(source, error), true, error);
    else shutDown(undefined, true, error);
  }
  PromiseThen(reader.closed.promise, onSourceClosed, () => {
    if (source.state === 'errored') onSourceError(source.storedError);
  });
  PromiseThen(writer.closed.promise, nothing, () => {
    if (target.state === 'erroring' || target.state === 'errored') onTargetError(target.storedError);
  });

  let chunkRead; // there is one request at a time
  const writeChunk = () => {
    const chunk = chunkRead;
    chunkRead = undefined;
    if (writer.stream !== undefined) writer.writeFor(writes.begun(), chunk);
    step();
  };
  const request = {
    chunk(chunk) {
      chunkRead = chunk;
      inMicrotask(writeChunk); // so that an enqueue does not write synchronously
    },
    close: nothing,
    error: nothing,
  };
  function step() {
    if (isShuttingDown) return;
    if (writer.desiredSize() > 0) reader.read(request);
    else PromiseThen(writer.ready.promise, step, nothing);
  }
  step();
  return promise;
}

module.exports = { pipeTo, optionsOf };
