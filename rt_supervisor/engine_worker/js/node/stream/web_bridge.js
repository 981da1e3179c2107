'use strict';
// Owns: the adapters between node streams and Web streams, in both directions, including backpressure, errors and ends.

const { AnyFinally, AnySlice, AnyThen } = require('internal/any_kind');
const { ArrayMap, ArrayPush, FunctionCall, PromiseThen } = require('internal/primordials');
const { PromiseAll, PromiseWithResolvers } = require('internal/promises');
const { AbortError, codes } = require('internal/errors/errors');
const { validateBoolean, validateObject } = require('internal/validators');
const kinds = require('internal/stream_kinds');
const { destroyer } = require('node/stream/destroy');
const { finished } = require('node/stream/finished');
const { nextTick } = require('internal/timers');

const nothing = () => {};

// --- to node streams

function readableFromWeb(stream, options = {}) {
  if (!kinds.isReadableStream(stream)) throw new codes.ERR_INVALID_ARG_TYPE('readableStream', 'ReadableStream', stream);
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  if (encoding !== undefined && !require('node/stream/encodings').isEncoding(encoding))
    throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', encoding);
  validateBoolean(objectMode, 'options.objectMode');
  const reader = stream.getReader();
  let isClosed = false;
  const Readable = require('node/stream/readable');
  const readable = new Readable({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read() {
      AnyThen(
        reader.read(),
        ({ value, done }) => {
          readable.push(done ? null : value);
        },
        (error) => destroyer(readable, error),
      );
    },
    destroy(error, callback) {
      const done = () => {
        nextTick(callback, error);
      };
      if (isClosed) {
        done();
        return;
      }
      isClosed = true;
      AnyThen(reader.cancel(error), done, done);
    },
  });
  AnyThen(
    reader.closed,
    () => {
      isClosed = true;
    },
    (error) => {
      isClosed = true;
      destroyer(readable, error);
    },
  );
  return readable;
}

/** The write methods of a node stream over a Web writer. */
function writingMethods(writer, fail) {
  const settle = (promise, callback) => {
    AnyThen(
      promise,
      () => nextTick(callback),
      (error) => nextTick(callback, error),
    );
  };
  return {
    writev(chunks, callback) {
      const all = async () => {
        await writer.ready;
        await PromiseAll(ArrayMap(chunks, ({ chunk }) => writer.write(chunk)));
      };
      settle(all(), callback);
    },
    write(chunk, encoding, callback) {
      const one = async () => {
        await writer.ready;
        await writer.write(chunk);
      };
      settle(one(), callback);
    },
    watch(onClosed) {
      AnyThen(writer.closed, onClosed, (error) => {
        onClosed();
        fail(error);
      });
    },
  };
}

function writableFromWeb(stream, options = {}) {
  if (!kinds.isWritableStream(stream)) throw new codes.ERR_INVALID_ARG_TYPE('writableStream', 'WritableStream', stream);
  validateObject(options, 'options');
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  validateBoolean(decodeStrings, 'options.decodeStrings');
  const writer = stream.getWriter();
  let isClosed = false;
  const { write, writev, watch } = writingMethods(writer, (error) => destroyer(writable, error));
  const Writable = require('node/stream/writable');
  const writable = new Writable({
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    write,
    writev,
    destroy(error, callback) {
      const done = () => {
        nextTick(callback, error);
      };
      if (isClosed) done();
      else if (error != null) AnyThen(writer.abort(error), done, done);
      else AnyThen(writer.close(), done, done);
    },
    final(callback) {
      if (isClosed) nextTick(callback);
      else
        AnyThen(
          writer.close(),
          () => nextTick(callback),
          (error) => nextTick(callback, error),
        );
    },
  });
  watch(() => {
    isClosed = true;
  });
  return writable;
}

function duplexFromWeb(pair, options = {}) {
  validateObject(pair, 'pair');
  const { readable, writable } = pair;
  if (!kinds.isReadableStream(readable)) throw new codes.ERR_INVALID_ARG_TYPE('pair.readable', 'ReadableStream', readable);
  if (!kinds.isWritableStream(writable)) throw new codes.ERR_INVALID_ARG_TYPE('pair.writable', 'WritableStream', writable);
  validateObject(options, 'options');
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark, signal } = options;
  const writer = writable.getWriter();
  const reader = readable.getReader();
  let isWriterClosed = false;
  let isReaderClosed = false;
  const { write, writev, watch } = writingMethods(writer, (error) => destroyer(duplex, error));
  const Duplex = require('node/stream/duplex');
  const duplex = new Duplex({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    write,
    writev,
    final(callback) {
      if (isWriterClosed) nextTick(callback);
      else
        AnyThen(
          writer.close(),
          () => nextTick(callback),
          (error) => nextTick(callback, error),
        );
    },
    read() {
      AnyThen(
        reader.read(),
        ({ value, done }) => {
          duplex.push(done ? null : value);
        },
        (error) => destroyer(duplex, error),
      );
    },
    destroy(error, callback) {
      const done = () => {
        nextTick(callback, error);
      };
      const ends = [];
      if (!isWriterClosed) ArrayPush(ends, writer.abort(error));
      if (!isReaderClosed) ArrayPush(ends, reader.cancel(error));
      PromiseThen(PromiseAll(ends), done, done);
    },
  });
  watch(() => {
    isWriterClosed = true;
  });
  AnyThen(
    reader.closed,
    () => {
      isReaderClosed = true;
    },
    (error) => {
      isReaderClosed = true;
      destroyer(duplex, error);
    },
  );
  return duplex;
}

// --- to Web streams

const asWebChunk = (chunk) =>
  chunk instanceof require('node/buffer/buffer').Buffer
    ? new Uint8Array(AnySlice(chunk.buffer, chunk.byteOffset, chunk.byteOffset + chunk.byteLength))
    : chunk;

/** A queuing strategy that buffers as much as the node stream does. */
function strategyOf(isObjectMode, highWaterMark) {
  const strategies = require('web/streams/strategies');
  return isObjectMode ? new strategies.CountQueuingStrategy({ highWaterMark }) : { highWaterMark };
}

function readableToWeb(stream, options = {}) {
  if (typeof stream?._readableState !== 'object')
    throw new codes.ERR_INVALID_ARG_TYPE('streamReadable', 'stream.Readable', stream);
  validateObject(options, 'options');
  if (options.type !== undefined)
    require('internal/validators').validateOneOf(options.type, 'options.type', ['bytes', undefined]);
  const { ReadableStream } = require('web/streams/readable');
  const isBytes = options.type === 'bytes';
  if (kinds.isDestroyed(stream) || !kinds.isReadable(stream)) {
    const emptyStream = new ReadableStream({ type: options.type });
    emptyStream.cancel();
    return emptyStream;
  }
  const { readableObjectMode: isObjectMode, readableHighWaterMark: mark } = stream;
  const strategy = options.strategy ?? (isBytes ? { highWaterMark: mark } : strategyOf(isObjectMode, mark));
  let controller;
  let wasCanceled = false;
  stream.pause();
  const stop = finished(stream, (error) => {
    if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') error = new AbortError(undefined, { cause: error });
    stop();
    stream.on('error', nothing); // reported by `finished`
    if (error) {
      controller.error(error);
      return;
    }
    if (wasCanceled) return;
    controller.close();
    if (isBytes) controller.byobRequest?.respond(0);
  });
  stream.on('data', (chunk) => {
    controller.enqueue(
      isObjectMode && !isBytes
        ? chunk
        : asWebChunk(isBytes && typeof chunk === 'string' ? require('node/buffer/buffer').Buffer.from(chunk) : chunk),
    );
    if (controller.desiredSize <= 0) stream.pause();
  });
  return new ReadableStream(
    {
      type: options.type,
      start(streamController) {
        controller = streamController;
      },
      pull() {
        stream.resume();
      },
      cancel(reason) {
        wasCanceled = true;
        destroyer(stream, reason);
      },
    },
    strategy,
  );
}

function writableToWeb(stream) {
  if (!require('internal/stream_kinds').isWritableNodeStream(stream))
    throw new codes.ERR_INVALID_ARG_TYPE('streamWritable', 'stream.Writable', stream);
  const { WritableStream } = require('web/streams/writable');
  if (kinds.isDestroyed(stream) || !kinds.isWritable(stream)) {
    const emptyStream = new WritableStream();
    emptyStream.close();
    return emptyStream;
  }
  let controller;
  let room; // a promise with its resolvers, while a write waits for 'drain'
  let closing;
  const stop = finished(stream, (error) => {
    if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') error = new AbortError(undefined, { cause: error });
    stop();
    stream.on('error', nothing);
    if (error != null) {
      room?.reject(error);
      if (closing !== undefined) {
        closing.reject(error);
        closing = undefined;
      }
      controller.error(error);
      return;
    }
    if (closing !== undefined) {
      closing.resolve();
      closing = undefined;
      return;
    }
    controller.error(new AbortError());
  });
  stream.on('drain', () => {
    room?.resolve();
  });
  function whenRoom() {
    room = PromiseWithResolvers();
    return AnyFinally(room.promise, () => {
      room = undefined;
    });
  }
  return new WritableStream(
    {
      start(streamController) {
        controller = streamController;
      },
      async write(chunk) {
        if (stream.writableNeedDrain) await whenRoom();
        if (!stream.write(chunk)) await whenRoom();
      },
      abort(reason) {
        destroyer(stream, reason);
      },
      close() {
        if (closing === undefined && !kinds.isWritableEnded(stream)) {
          closing = PromiseWithResolvers();
          stream.end();
          return closing.promise;
        }
        return closing?.promise;
      },
    },
    strategyOf(stream.writableObjectMode, stream.writableHighWaterMark),
  );
}

function duplexToWeb(duplex, options) {
  if (typeof duplex?._writableState !== 'object' || typeof duplex?._readableState !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('duplex', 'stream.Duplex', duplex);
  }
  const side = (isOpen, make, Class) => {
    if (isOpen) return make(duplex, { ...options, type: options?.readableType ?? options?.type });
    const emptyStream = new Class();
    FunctionCall(emptyStream.cancel ?? emptyStream.close, emptyStream);
    return emptyStream;
  };
  return {
    readable: side(kinds.isReadable(duplex), readableToWeb, require('web/streams/readable').ReadableStream),
    writable: side(kinds.isWritable(duplex), writableToWeb, require('web/streams/writable').WritableStream),
  };
}

module.exports = { readableFromWeb, readableToWeb, writableFromWeb, writableToWeb, duplexFromWeb, duplexToWeb };
