'use strict';
// Owns: pipeline: a chain of streams, iterables and functions; when one fails, all are destroyed, and the callback is called
// once, with the first meaningful error.

const { intactAsync } = require('internal/async_iteration');
const { AnyCatch, AnyThen } = require('internal/any_kind');
const { ArrayAt, ArrayIsArray, ArrayPop, ArrayPush, ArrayShift } = require('internal/primordials');
const { aggregateTwoErrors, AbortError, codes } = require('internal/errors/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const kinds = require('internal/stream_kinds');
const { destroyer } = require('node/stream/destroy');
const { finished, once } = require('node/stream/finished');
const { nextTick } = require('internal/timers');

const nothing = () => {};
const isPrematureClose = (error) => error?.code === 'ERR_STREAM_PREMATURE_CLOSE';

function pipeline(...streams) {
  const callback = ArrayPop(streams);
  validateFunction(callback, 'streams[stream.length - 1]');
  return run(streams, once(callback));
}

function run(streams, callback, options) {
  if (streams.length === 1 && ArrayIsArray(streams[0])) streams = streams[0];
  if (streams.length < 2) throw new codes.ERR_MISSING_ARGS('streams');
  validateAbortSignal(options?.signal, 'options.signal');
  return new Pipeline(streams, callback, options).start();
}

class Pipeline {
  #streams;
  #callback;
  #mayEnd; // whether the last stream is ended, too
  #outerSignal;
  #listening;
  #controller = new (require('web/abort').AbortController)();
  #error;
  #value; // the value of the last function's promise
  #open = 0; // parts that have not finished
  #destroys = [];
  #lastCleanups = []; // removes listeners from a last stream that remains readable

  constructor(streams, callback, options) {
    this.#streams = streams;
    this.#callback = callback;
    this.#mayEnd = options?.end !== false;
    this.#outerSignal = options?.signal;
  }

  start() {
    const abort = () => this.#settle(new AbortError(undefined, { cause: this.#outerSignal?.reason }), false);
    if (this.#outerSignal) this.#listening = require('web/abort').addAbortListener(this.#outerSignal, abort);
    let previous;
    for (let index = 0; index < this.#streams.length; index++) previous = this.#join(previous, index);
    if (this.#controller.signal.aborted || this.#outerSignal?.aborted) nextTick(abort);
    return previous;
  }

  #finish = (error) => this.#settle(error, --this.#open === 0);
  #fail = (error) => this.#settle(error, false);

  #settle(error, isLast) {
    // An error that merely follows from the end of another part (a premature close, an abort) gives way to its cause.
    if (error && (!this.#error || isPrematureClose(this.#error) || this.#error.name === 'AbortError')) this.#error = error;
    if (!this.#error && !isLast) return;
    while (this.#destroys.length > 0) ArrayShift(this.#destroys)(this.#error);
    this.#listening?.[Symbol.dispose]();
    this.#controller.abort();
    if (!isLast) return;
    if (!this.#error)
      for (let index = 0, list = this.#lastCleanups; index < list.length; index++) {
        const cleanup = list[index];
        cleanup();
      }
    nextTick(this.#callback, this.#error, this.#value);
  }

  /** Connects part `index` to the output of the previous ones; returns its own output. */
  #join(previous, index) {
    const part = this.#streams[index];
    const isLast = index === this.#streams.length - 1;
    const ends = !isLast || this.#mayEnd;
    const next = this.#streams[index + 1];
    if (kinds.isNodeStream(part) && !isLast && (next?.closed || next?.destroyed)) throw new codes.ERR_STREAM_UNABLE_TO_PIPE();
    if (kinds.isNodeStream(part)) this.#guard(part, { isFirst: index === 0, isLast, ends });
    if (index === 0) return this.#source(part);
    if (typeof part === 'function') return this.#call(part, previous, { index, isLast, ends });
    if (kinds.isNodeStream(part)) return this.#intoNode(part, previous, { isLast, ends });
    if (kinds.isWebStream(part)) return this.#intoWeb(part, previous, ends);
    return require('node/stream/duplex').from(part);
  }

  #guard(stream, { isFirst, isLast, ends }) {
    const staysOpen = isLast && kinds.isReadable(stream);
    if (ends) this.#destroyLater(stream, { reading: !isLast, writing: !isFirst, staysOpen });
    const onError = (error) => {
      if (error && error.name !== 'AbortError' && !isPrematureClose(error)) this.#fail(error);
    };
    stream.on('error', onError);
    if (staysOpen) ArrayPush(this.#lastCleanups, () => stream.removeListener('error', onError));
  }

  #destroyLater(stream, { reading, writing, staysOpen }) {
    let isFinished = false;
    stream.on('close', () => {
      isFinished = true;
    });
    const cleanup = finished(stream, { readable: reading, writable: writing }, (error) => {
      isFinished = !error;
    });
    ArrayPush(this.#destroys, (error) => {
      if (isFinished) return;
      isFinished = true;
      destroyer(stream, error || new codes.ERR_STREAM_DESTROYED('pipe'));
    });
    if (staysOpen) ArrayPush(this.#lastCleanups, cleanup);
  }

  #source(part) {
    if (typeof part === 'function') {
      const result = part({ signal: this.#controller.signal });
      if (!kinds.isIterable(result))
        throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', result);
      return result;
    }
    if (kinds.isIterable(part) || kinds.isReadableNodeStream(part) || kinds.isTransformStream(part)) return part;
    return require('node/stream/duplex').from(part);
  }

  #call(part, previous, { index, isLast, ends }) {
    const input = asIterable(kinds.isTransformStream(previous) ? previous.readable : previous);
    const result = part(input, { signal: this.#controller.signal });
    if (!isLast) {
      if (!kinds.isIterable(result, true))
        throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${index - 1}]`, result);
      return result;
    }
    // A pipeline always returns a stream: the function's output passes through this one.
    const { PassThrough } = require('node/stream/transform');
    const through = new PassThrough({ objectMode: true });
    if (typeof result?.then === 'function') {
      this.#open++;
      AnyThen(
        result,
        (value) => {
          this.#value = value;
          if (value != null) through.write(value);
          if (ends) through.end();
          nextTick(this.#finish);
        },
        (error) => {
          through.destroy(error);
          nextTick(this.#finish, error);
        },
      );
    } else if (kinds.isIterable(result, true)) {
      this.#open++;
      pumpToNode(result, through, this.#finish, ends);
    } else if (kinds.isReadableStream(result) || kinds.isTransformStream(result)) {
      this.#open++;
      pumpToNode(result.readable || result, through, this.#finish, ends);
    } else {
      throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
    }
    this.#destroyLater(through, { reading: false, writing: true, staysOpen: true });
    return through;
  }

  #intoNode(part, previous, { isLast, ends }) {
    if (kinds.isReadableNodeStream(previous)) {
      this.#open += 2;
      const cleanup = this.#pipe(previous, part, ends);
      if (isLast && kinds.isReadable(part)) ArrayPush(this.#lastCleanups, cleanup);
    } else if (kinds.isTransformStream(previous) || kinds.isReadableStream(previous)) {
      this.#open++;
      pumpToNode(previous.readable || previous, part, this.#finish, ends);
    } else if (kinds.isIterable(previous)) {
      this.#open++;
      pumpToNode(previous, part, this.#finish, ends);
    } else {
      throw notReadable(previous);
    }
    return part;
  }

  #intoWeb(part, previous, ends) {
    if (kinds.isReadableNodeStream(previous)) pumpToWeb(asIterable(previous), part, this.#finish, ends);
    else if (kinds.isReadableStream(previous) || kinds.isIterable(previous)) pumpToWeb(previous, part, this.#finish, ends);
    else if (kinds.isTransformStream(previous)) pumpToWeb(previous.readable, part, this.#finish, ends);
    else throw notReadable(previous);
    this.#open++;
    return part;
  }

  #pipe(source, target, ends) {
    let hasEnded = false;
    target.on('close', () => {
      if (!hasEnded) this.#fail(new codes.ERR_STREAM_PREMATURE_CLOSE());
    });
    source.pipe(target, { end: false });
    if (ends) {
      const end = () => {
        hasEnded = true;
        target.end();
      };
      if (kinds.isReadableFinished(source)) nextTick(end);
      else source.once('end', end);
    } else {
      this.#finish();
    }
    finished(source, { readable: true, writable: false }, (error) => {
      const state = source._readableState;
      if (isPrematureClose(error) && state?.ended && !state.errored && !state.errorEmitted) {
        // A source that closes before its last chunks are read still ends.
        source.once('end', this.#finish).once('error', this.#finish);
      } else {
        this.#finish(error);
      }
    });
    return finished(target, { readable: false, writable: true }, this.#finish);
  }
}

const notReadable = (value) =>
  new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream', 'TransformStream'], value);

function asIterable(value) {
  if (kinds.isIterable(value)) return value;
  if (kinds.isReadableNodeStream(value)) return iterate(value);
  throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], value);
}

async function* iterate(stream) {
  yield* require('node/stream/iterate').iterator(stream);
}

async function pumpToNode(iterable, target, finish, ends) {
  let failure;
  let wake = null;
  const resume = (error) => {
    if (error) failure = error;
    const waiting = wake;
    wake = null;
    waiting?.();
  };
  const wait = () =>
    new Promise((resolve, reject) => {
      const settle = () => (failure ? reject(failure) : resolve());
      if (failure) settle();
      else wake = settle;
    });
  target.on('drain', resume);
  const stop = finished(target, { readable: false }, resume);
  try {
    if (target.writableNeedDrain) await wait();
    for await (const chunk of intactAsync(iterable)) if (!target.write(chunk)) await wait();
    if (ends) {
      target.end();
      await wait();
    }
    finish();
  } catch (error) {
    finish(failure !== error ? aggregateTwoErrors(failure, error) : error);
  } finally {
    stop();
    target.off('drain', resume);
  }
}

async function pumpToWeb(iterable, target, finish, ends) {
  const writer = (kinds.isTransformStream(target) ? target.writable : target).getWriter();
  try {
    for await (const chunk of intactAsync(iterable)) {
      await writer.ready;
      AnyCatch(writer.write(chunk), nothing);
    }
    await writer.ready;
    if (ends) await writer.close();
    finish();
  } catch (error) {
    try {
      await writer.abort(error);
      finish(error);
    } catch (another) {
      finish(another);
    }
  }
}

/** The promise form; the last argument may be { signal, end }. */
function pipelinePromise(...streams) {
  return new Promise((resolve, reject) => {
    const last = ArrayAt(streams, -1);
    let options;
    if (last && typeof last === 'object' && !kinds.isNodeStream(last) && !kinds.isIterable(last) && !kinds.isWebStream(last)) {
      options = ArrayPop(streams);
    }
    run(streams, (error, value) => (error ? reject(error) : resolve(value)), options);
  });
}

module.exports = { pipeline, pipelinePromise, run };
