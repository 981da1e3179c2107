// @ts-check
'use strict';
// Owns: ReadableStream and the algorithms of its record (Streams standard §4.1, §4.2, §4.9). Readers are in
// web/streams/readers.js, controllers in web/streams/readable_default.js and web/streams/readable_bytes.js; piping, tee and
// from have separate files.

const { ObjectDefineProperty, SymbolFor, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const {
  dictionary,
  finish,
  markHandled,
  highWaterMarkOf,
  nothing,
  callAsync,
  sizeAlgorithmOf,
  rangeError,
  stateError,
  wrongReceiver,
  Deferred,
  EMPTY,
} = require('web/streams/basics');
const { kIsClosedPromise, kIsDisturbed, kIsErrored, kIsReadable, kControllerErrorFunction } = require('internal/stream_kinds');

const KEY = Symbol('record');
let recordOf;

/** The slots of a ReadableStream. */
class ReadableRecord {
  /** @type {any} */
  object;

  constructor() {
    this.state = 'readable'; // 'closed', 'errored'
    this.storedError = undefined;
    this.reader = undefined;
    this.controller = undefined;
    this.disturbed = false;
    this.whenClosed = new Deferred(); // for stream.finished of node:stream
    markHandled(this.whenClosed.promise);
  }
  get locked() {
    return this.reader !== undefined;
  }
}

class ReadableStream {
  #record;

  static {
    const pack = (stream) => require('web/streams/transfer').pack('ReadableStream', stream);
    require('internal/cloneable').registerTransferable((value) => #record in value, 'ReadableStream', pack);
  }

  /** @param {any} [source] @param {any} [strategy] */
  constructor(source = undefined, strategy = EMPTY) {
    if (source === KEY) {
      this.#record = strategy;
      strategy.object = this;
      return;
    }
    const underlying = dictionary(source, 'source');
    const settings = dictionary(strategy, 'strategy');
    this.#record = new ReadableRecord();
    this.#record.object = this;
    const type = underlying.type === undefined ? undefined : `${underlying.type}`;
    if (type === 'bytes') {
      if (settings.size !== undefined) throw rangeError('strategy.size', settings.size);
      const mark = highWaterMarkOf(settings, 0);
      require('web/streams/readable_bytes').setUpFromSource(this.#record, underlying, mark);
    } else if (type === 'direct') {
      const source = require('web/streams/direct').ordinarySource(underlying);
      require('web/streams/readable_default').setUpFromSource(
        this.#record,
        source,
        highWaterMarkOf(settings, 0),
        sizeAlgorithmOf(settings),
      );
    } else {
      if (type !== undefined) throw new codes.ERR_INVALID_ARG_VALUE('source.type', type);
      const size = sizeAlgorithmOf(settings);
      require('web/streams/readable_default').setUpFromSource(this.#record, underlying, highWaterMarkOf(settings, 1), size);
    }
  }

  get locked() {
    return recordOf(this).locked;
  }

  cancel(reason = undefined) {
    return callAsync(() => {
      const record = recordOf(this);
      if (record.locked) throw stateError('ReadableStream is locked');
      return cancel(record, reason);
    });
  }

  getReader(options = undefined) {
    recordOf(this); // the receiver is checked first
    const { mode } = dictionary(options ?? undefined, 'options');
    const readers = require('web/streams/readers');
    if (mode === undefined) return new readers.ReadableStreamDefaultReader(this);
    if (`${mode}` !== 'byob') throw new codes.ERR_INVALID_ARG_VALUE('options.mode', mode);
    return new readers.ReadableStreamBYOBReader(this);
  }

  pipeThrough(transform, options = undefined) {
    const record = recordOf(this);
    const writables = require('web/streams/writable');
    const readable = transform?.readable;
    if (!isReadableStream(readable)) throw new codes.ERR_INVALID_ARG_TYPE('transform.readable', 'ReadableStream', readable);
    const writable = transform?.writable;
    if (!writables.isWritableStream(writable))
      throw new codes.ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', writable);
    const pipe = require('web/streams/pipe');
    const settings = pipe.optionsOf(options);
    if (record.locked) throw stateError('The ReadableStream is locked');
    if (writables.recordOf(writable).locked) throw stateError('The WritableStream is locked');
    markHandled(pipe.pipeTo(record, writables.recordOf(writable), settings));
    return readable;
  }

  pipeTo(destination, options = undefined) {
    return callAsync(() => {
      const record = recordOf(this);
      const writables = require('web/streams/writable');
      if (!writables.isWritableStream(destination))
        throw new codes.ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', destination);
      const pipe = require('web/streams/pipe');
      const settings = pipe.optionsOf(options);
      if (record.locked) throw stateError('The ReadableStream is locked');
      if (writables.recordOf(destination).locked) throw stateError('The WritableStream is locked');
      return pipe.pipeTo(record, writables.recordOf(destination), settings);
    });
  }

  tee() {
    const record = recordOf(this);
    if (record.locked) throw stateError('ReadableStream is locked');
    return require('web/streams/tee').tee(record);
  }

  values(options = undefined) {
    const record = recordOf(this);
    const { preventCancel } = dictionary(options ?? undefined, 'options');
    return require('web/streams/readable_iterate').iterate(record, Boolean(preventCancel));
  }

  static from(iterable) {
    return require('web/streams/readable_from').from(iterable);
  }

  get [kIsDisturbed]() {
    return this.#record.disturbed;
  }
  get [kIsErrored]() {
    return this.#record.state === 'errored';
  }
  get [kIsReadable]() {
    return this.#record.state === 'readable';
  }
  get [kIsClosedPromise]() {
    return this.#record.whenClosed;
  }
  get [kControllerErrorFunction]() {
    return (error) => this.#record.controller.error(error);
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options) {
    if (depth < 0) return 'ReadableStream { … }';
    const { state } = this.#record;
    return `ReadableStream ${require('internal/inspect/inspect').inspect({ locked: this.locked, state, supportsBYOB: this.#record.controller?.isBytes ?? false }, options)}`;
  }

  static {
    recordOf = (stream) => {
      if (typeof stream !== 'object' || stream === null || !(#record in stream)) throw wrongReceiver('ReadableStream');
      return stream.#record;
    };
  }
}
finish(ReadableStream, 'ReadableStream', ['from']);
ObjectDefineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  __proto__: null,
  value: ReadableStream.prototype.values,
  writable: true,
  enumerable: false,
  configurable: true,
});

function isReadableStream(value) {
  try {
    recordOf(value);
    return true;
  } catch {
    return false;
  }
}

/** Creates a stream for the runtime: CreateReadableStream, CreateReadableByteStream. `setUp(record)` creates its controller. */
function create(setUp) {
  const record = new ReadableRecord();
  const stream = new ReadableStream(KEY, record);
  setUp(record);
  return stream;
}

// --- §4.9.2

/** ReadableStreamCancel */
async function cancel(record, reason) {
  record.disturbed = true;
  if (record.state === 'closed') return undefined;
  if (record.state === 'errored') throw record.storedError;
  close(record);
  const { reader } = record;
  if (reader !== undefined && reader.isByob) {
    for (const request of intact(reader.requests.drain())) request.close(undefined);
  }
  await record.controller.cancelSteps(reason);
  return undefined;
}

/** ReadableStreamClose */
function close(record) {
  record.state = 'closed';
  record.whenClosed.resolve();
  const { reader } = record;
  if (reader === undefined) return;
  reader.closed.resolve(undefined);
  if (!reader.isByob)
    for (let index = 0, list = reader.requests.drain(); index < list.length; index++) {
      const request = list[index];
      request.close();
    }
}

/** ReadableStreamError */
function error(record, reason) {
  record.state = 'errored';
  record.storedError = reason;
  record.whenClosed.reject(reason);
  const { reader } = record;
  if (reader === undefined) return;
  reader.closed.reject(reason);
  markHandled(reader.closed.promise);
  for (const request of intact(reader.requests.drain())) request.error(reason);
}

/** ReadableStreamFulfillReadRequest, ReadableStreamFulfillReadIntoRequest */
function fulfill(record, chunk, isDone) {
  const request = record.reader.requests.shift();
  if (isDone) request.close(chunk);
  else request.chunk(chunk);
}

/** Returns the number of pending reads, of a default reader or of a BYOB reader. */
const waitingReads = (record) => (record.reader !== undefined && !record.reader.isByob ? record.reader.requests.length : 0);
const waitingReadIntos = (record) => (record.reader?.isByob ? record.reader.requests.length : 0);

require('web/streams/readers_to_end').addReaders(ReadableStream);

module.exports = {
  ReadableStream,
  isReadableStream,
  create,
  cancel,
  /** Cancels a stream that may be locked, because its source no longer exists. */
  cancelQuietly: (stream) => markHandled(cancel(recordOf(stream), undefined)),
  close,
  error,
  fulfill,
  waitingReads,
  waitingReadIntos,
  nothing,
  recordOf: (stream) => recordOf(stream),
};
