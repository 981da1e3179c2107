'use strict';
// Owns: Duplex.from: a Duplex made from a stream, a pair of streams, an iterable, a function of an iterable, or a promise.

const { AnyThen } = require('internal/any_kind');
const { intact } = require('internal/primordials');
const { PromiseWithResolvers } = require('internal/promises');
const { AbortError, codes } = require('internal/errors/errors');
const kinds = require('internal/stream_kinds');
const { destroyer } = require('node/stream/destroy');
const { finished } = require('node/stream/finished');
const { readableFrom } = require('node/stream/from');
const { nextTick } = require('internal/timers');
const Duplex = require('node/stream/duplex');
const Readable = require('node/stream/readable');
const Writable = require('node/stream/writable');

const isBlob = (value) => value instanceof require('web/blob/blob').Blob;

function duplexFrom(body, name = 'body') {
  if (kinds.isDuplexNodeStream(body)) return body;
  if (kinds.isReadableNodeStream(body)) return combine({ readable: body });
  if (kinds.isWritableNodeStream(body)) return combine({ writable: body });
  if (kinds.isNodeStream(body)) return combine({ writable: false, readable: false });
  if (kinds.isReadableStream(body)) return combine({ readable: Readable.fromWeb(body) });
  if (kinds.isWritableStream(body)) return combine({ writable: Writable.fromWeb(body) });
  if (typeof body === 'function') return fromFunction(body, name);
  if (isBlob(body)) return duplexFrom(body.arrayBuffer());
  if (kinds.isIterable(body)) return readableFrom(Duplex, body, { objectMode: true, writable: false });
  if (kinds.isReadableStream(body?.readable) && kinds.isWritableStream(body?.writable)) return Duplex.fromWeb(body);
  if (typeof body?.writable === 'object' || typeof body?.readable === 'object') {
    const side = (stream, isSide) => (stream ? (isSide(stream) ? stream : duplexFrom(stream)) : undefined);
    return combine({
      readable: side(body.readable, kinds.isReadableNodeStream),
      writable: side(body.writable, kinds.isWritableNodeStream),
    });
  }
  if (typeof body?.then === 'function') return fromPromise(body);
  throw new codes.ERR_INVALID_ARG_TYPE(
    name,
    [
      'Blob',
      'ReadableStream',
      'WritableStream',
      'Stream',
      'Iterable',
      'AsyncIterable',
      'Function',
      '{ readable, writable } pair',
      'Promise',
    ],
    body,
  );
}

function fromPromise(promise) {
  const duplex = new Duplex({ objectMode: true, writable: false, read() {} });
  AnyThen(
    promise,
    (value) => {
      if (value != null) duplex.push(value);
      duplex.push(null);
    },
    (error) => destroyer(duplex, error),
  );
  return duplex;
}

/** Written chunks become the iterable passed to `body`; its result is the readable side. */
function fromFunction(body, name) {
  const { value, write, final, destroy } = feed(body);
  if (kinds.isDuplexNodeStream(value)) return value;
  if (kinds.isIterable(value)) return readableFrom(Duplex, value, { objectMode: true, write, final, destroy });
  if (typeof value?.then !== 'function') {
    throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, value);
  }
  const done = AnyThen(
    value,
    (result) => {
      if (result != null) throw new codes.ERR_INVALID_RETURN_VALUE('nully', 'body', result);
    },
    (error) => destroyer(duplex, error),
  );
  const duplex = new Duplex({
    objectMode: true,
    readable: false,
    write,
    final(callback) {
      final(async () => {
        try {
          await done;
          nextTick(callback, null);
        } catch (error) {
          nextTick(callback, error);
        }
      });
    },
    destroy,
  });
  return duplex;
}

function feed(body) {
  let next = PromiseWithResolvers();
  const controller = new (require('web/abort').AbortController)();
  const { signal } = controller;
  async function* written() {
    for (;;) {
      const { chunk, isDone, callback } = await next.promise;
      nextTick(callback);
      if (isDone) return;
      if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      next = PromiseWithResolvers();
      yield chunk;
    }
  }
  const value = body(written(), { signal });
  return {
    value,
    write(chunk, encoding, callback) {
      next.resolve({ chunk, isDone: false, callback });
    },
    final(callback) {
      next.resolve({ isDone: true, callback });
    },
    destroy(error, callback) {
      controller.abort();
      callback(error);
    },
  };
}

/** Joins two streams as the sides of one. */
function combine(pair) {
  const { writeToNode, readFromNode } = require('node/stream/compose');
  const readable = pair.readable && typeof pair.readable.read !== 'function' ? Readable.wrap(pair.readable) : pair.readable;
  const { writable } = pair;
  const isReadable = Boolean(kinds.isReadable(readable));
  const isWritable = Boolean(kinds.isWritable(writable));
  const waiting = { drain: null, finish: null, readable: null, close: undefined };
  const wake = (name, ...args) => {
    const callback = waiting[name];
    waiting[name] = null;
    callback?.(...intact(args));
    return Boolean(callback);
  };
  const duplex = new Duplex({
    readableObjectMode: Boolean(readable?.readableObjectMode),
    writableObjectMode: Boolean(writable?.writableObjectMode),
    readable: isReadable,
    writable: isWritable,
  });
  const onFinished = (error) => {
    if (error) destroyer(readable, error);
    if (!wake('close', error) && error) duplex.destroy(error);
  };
  if (isWritable) {
    finished(writable, onFinished);
    writeToNode(duplex, writable, waiting, wake);
    writable.on('finish', () => {
      wake('finish');
    });
  }
  if (isReadable) {
    finished(readable, onFinished);
    readFromNode(duplex, readable, waiting, wake);
  }
  const destroy = (error, callback) => {
    if (!error && waiting.close !== null) error = new AbortError();
    waiting.readable = waiting.drain = waiting.finish = null;
    if (waiting.close === null) {
      callback(error);
    } else {
      waiting.close = callback;
      destroyer(writable, error);
      destroyer(readable, error);
    }
  };
  duplex._destroy = destroy;
  return duplex;
}

module.exports = { duplexFrom };
