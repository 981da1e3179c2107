// @ts-check
'use strict';
// Owns: TransformStream and its controller (Streams standard §6): a write waits until its output is read.

const { AnyThen } = require('internal/any_kind');
const { PromiseResolve, PromiseWithResolvers } = require('internal/promises');
const { ArrayMap, FunctionCall, SymbolFor } = require('internal/primordials');
const {
  Deferred,
  EMPTY,
  dictionary,
  finish,
  highWaterMarkOf,
  illegalConstructor,
  invoke,
  invokeOnce,
  methodOf,
  objectOf,
  sizeAlgorithmOf,
  rangeError,
  stateError,
  wrongReceiver,
} = require('web/streams/basics');
const { createReadableStream } = require('web/streams/readable_default');
const { createWritableStream, recordOf: writableRecordOf } = require('web/streams/writable');
const { recordOf: readableRecordOf } = require('web/streams/readable');

const KEY = Symbol('record');

/** The slots of a TransformStream and of its controller. */
class TransformRecord {
  /** @type {any} */
  object;
  backpressure = undefined;
  /** @type {any} */
  backpressureChange = undefined;
  /** @type {any} */
  finishing = undefined; // Deferred of a running flush or cancel

  /** InitializeTransformStream, SetUpTransformStreamDefaultController */
  constructor({ transform, flush, cancel, writableStrategy, readableStrategy, started }) {
    this.transformAlgorithm = transform;
    this.flushAlgorithm = flush;
    this.cancelAlgorithm = cancel;
    this.writable = createWritableStream({
      __proto__: null,
      start: () => started,
      write: (chunk) => this.#write(chunk),
      abort: (reason) => this.#abort(reason),
      close: () => this.#close(),
      ...writableStrategy,
    });
    this.readable = createReadableStream({
      __proto__: null,
      start: () => started,
      pull: () => this.#pull(),
      cancel: (reason) => this.#cancel(reason),
      ...readableStrategy,
    });
    this.sink = writableRecordOf(this.writable);
    this.source = readableRecordOf(this.readable);
    this.#setBackpressure(true);
    this.object = new TransformStreamDefaultController(KEY, this);
  }

  #setBackpressure(backpressure) {
    this.backpressureChange?.resolve();
    this.backpressureChange = new Deferred();
    this.backpressure = backpressure;
  }

  #clear() {
    this.transformAlgorithm = this.flushAlgorithm = this.cancelAlgorithm = undefined;
  }

  // TransformStreamError
  error(reason) {
    this.source.controller.error(reason);
    this.errorWritable(reason);
  }
  // TransformStreamErrorWritableAndUnblockWrite
  errorWritable(reason) {
    this.#clear();
    this.sink.controller.errorIfNeeded(reason);
    if (this.backpressure) this.#setBackpressure(false);
  }

  // TransformStreamDefaultControllerEnqueue
  enqueue(chunk) {
    const { controller } = this.source;
    if (!controller.canCloseOrEnqueue()) throw stateError('Unable to enqueue');
    try {
      controller.enqueue(chunk);
    } catch (error) {
      this.errorWritable(error);
      throw this.source.storedError;
    }
    const backpressure = !(this.source.reader?.requests.length > 0) && controller.desiredSize() <= 0;
    if (backpressure !== this.backpressure) this.#setBackpressure(true);
  }

  // TransformStreamDefaultControllerTerminate
  terminate() {
    this.source.controller.close();
    this.errorWritable(stateError('TransformStream has been terminated'));
  }

  // TransformStreamDefaultSinkWriteAlgorithm
  async #write(chunk) {
    if (this.backpressure) {
      await this.backpressureChange.promise;
      if (this.sink.state === 'erroring') throw this.sink.storedError;
    }
    if (this.transformAlgorithm === undefined) return; // the readable side is being cancelled: the chunk is dropped
    try {
      await this.transformAlgorithm(chunk);
    } catch (error) {
      this.error(error);
      throw error;
    }
  }

  // TransformStreamDefaultSinkAbortAlgorithm
  #abort(reason) {
    return this.#finishWith(
      () => this.cancelAlgorithm(reason),
      () => {
        if (this.source.state === 'errored') throw this.source.storedError;
        this.source.controller.error(reason);
      },
      (error) => this.source.controller.error(error),
    );
  }

  // TransformStreamDefaultSinkCloseAlgorithm
  #close() {
    return this.#finishWith(
      () => this.flushAlgorithm(),
      () => {
        if (this.source.state === 'errored') throw this.source.storedError;
        this.source.controller.close();
      },
      (error) => this.source.controller.error(error),
    );
  }

  // TransformStreamDefaultSourceCancelAlgorithm
  #cancel(reason) {
    return this.#finishWith(
      () => this.cancelAlgorithm(reason),
      () => {
        if (this.sink.state === 'errored') throw this.sink.storedError;
        this.errorWritable(reason);
      },
      (error) => this.errorWritable(error),
    );
  }

  /** Runs flush or cancel once; a second caller waits for the first. */
  #finishWith(act, onDone, onFailed) {
    if (this.finishing !== undefined) return this.finishing.promise;
    this.finishing = new Deferred();
    const { finishing } = this;
    const result = act();
    this.#clear();
    AnyThen(
      result,
      () => {
        try {
          onDone();
        } catch (error) {
          finishing.reject(error);
          return;
        }
        finishing.resolve();
      },
      (error) => {
        onFailed(error);
        finishing.reject(error);
      },
    );
    return finishing.promise;
  }

  // TransformStreamDefaultSourcePullAlgorithm
  #pull() {
    this.#setBackpressure(false);
    return this.backpressureChange.promise;
  }
}

class TransformStream {
  #record;

  static {
    const pack = (stream) => require('web/streams/transfer').pack('TransformStream', stream);
    require('internal/cloneable').registerTransferable((value) => #record in value, 'TransformStream', pack);
  }

  /** @param {any} [transformer] @param {any} [writableStrategy] @param {any} [readableStrategy] */
  constructor(transformer = undefined, writableStrategy = EMPTY, readableStrategy = EMPTY) {
    if (transformer === KEY) {
      this.#record = writableStrategy; // called by the runtime: the record has both ends already
      return;
    }
    const underlying = transformer === null ? EMPTY : dictionary(transformer, 'transformer');
    if (underlying.readableType !== undefined) throw rangeError('transformer.readableType', underlying.readableType);
    if (underlying.writableType !== undefined) throw rangeError('transformer.writableType', underlying.writableType);
    const readable = dictionary(readableStrategy, 'strategy');
    const writable = dictionary(writableStrategy, 'strategy');
    const {
      0: start,
      1: transform,
      2: flush,
      3: cancel,
    } = ArrayMap(['start', 'transform', 'flush', 'cancel'], (name) => methodOf(underlying, name, 'transformer'));
    const started = PromiseWithResolvers();
    // TransformStreamDefaultController's algorithms (SetUpTransformStreamDefaultControllerFromTransformer)
    this.#record = new TransformRecord({
      transform:
        transform === undefined
          ? async (chunk) => this.#record.enqueue(chunk)
          : (chunk) => invoke(transform, underlying, chunk, this.#record.object),
      flush: flush === undefined ? () => PromiseResolve() : () => invokeOnce(flush, underlying, this.#record.object),
      cancel: cancel === undefined ? () => PromiseResolve() : (reason) => invokeOnce(cancel, underlying, reason),
      readableStrategy: { highWaterMark: highWaterMarkOf(readable, 0), size: sizeAlgorithmOf(readable) },
      writableStrategy: { highWaterMark: highWaterMarkOf(writable, 1), size: sizeAlgorithmOf(writable) },
      started: started.promise,
    });
    started.resolve(start == null ? undefined : FunctionCall(start, underlying, this.#record.object));
  }

  get readable() {
    if (!(#record in objectOf(this))) throw wrongReceiver('TransformStream');
    return this.#record.readable;
  }
  get writable() {
    if (!(#record in objectOf(this))) throw wrongReceiver('TransformStream');
    return this.#record.writable;
  }
  [SymbolFor('nodejs.util.inspect.custom')](depth, options) {
    if (depth < 0) return 'TransformStream { … }';
    const { readable, writable, backpressure } = this.#record;
    return `TransformStream ${require('internal/inspect/inspect').inspect({ readable, writable, backpressure }, { ...options, depth: depth - 1 })}`;
  }
}
finish(TransformStream, 'TransformStream');

let recordOfController;

class TransformStreamDefaultController {
  #record;
  /** @param {any} [key] @param {any} [record] */
  constructor(key = undefined, record = undefined) {
    if (key !== KEY) throw illegalConstructor();
    this.#record = record;
  }
  static {
    recordOfController = (controller) => {
      if (!(#record in objectOf(controller))) throw wrongReceiver('TransformStreamDefaultController');
      return controller.#record;
    };
  }
  get desiredSize() {
    return recordOfController(this).source.controller.desiredSize();
  }
  enqueue(chunk = undefined) {
    recordOfController(this).enqueue(chunk);
  }
  error(reason = undefined) {
    recordOfController(this).error(reason);
  }
  terminate() {
    recordOfController(this).terminate();
  }
}
finish(TransformStreamDefaultController, 'TransformStreamDefaultController');

module.exports = {
  TransformStream,
  TransformStreamDefaultController,
  /** Creates a TransformStream from two existing streams. */
  joined: (readable, writable) => new TransformStream(KEY, { readable, writable, backpressure: undefined }),
};
