// @ts-check
'use strict';
// Owns: ReadableByteStreamController and ReadableStreamBYOBRequest as programs see them (Streams standard §4.7, §4.8).

const { ArrayBufferIsView, NumberIsInteger } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { finish, illegalConstructor, objectOf, stateError, wrongReceiver } = require('web/streams/basics');

const KEY = Symbol('record');
const isDetached = (buffer) => buffer.detached;

let recordOf;

class ReadableByteStreamController {
  #record;
  /** @param {any} [key] @param {any} [record] */
  constructor(key = undefined, record = undefined) {
    if (key !== KEY) throw illegalConstructor();
    this.#record = record;
  }
  static {
    recordOf = (controller) => {
      if (!(#record in objectOf(controller))) throw wrongReceiver('ReadableByteStreamController');
      return controller.#record;
    };
  }
  get byobRequest() {
    return recordOf(this).getRequest();
  }
  get desiredSize() {
    return recordOf(this).desiredSize();
  }
  close() {
    const record = recordOf(this);
    if (record.closeRequested || record.stream.state !== 'readable') throw stateError('Controller is already closed');
    record.close();
  }
  enqueue(chunk) {
    const record = recordOf(this);
    if (!ArrayBufferIsView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], chunk);
    if (chunk.byteLength === 0 || chunk.buffer.byteLength === 0) throw stateError('chunk ArrayBuffer is zero-length or detached');
    if (record.closeRequested || record.stream.state !== 'readable') throw stateError('Controller is already closed');
    record.enqueue(chunk);
  }
  error(reason = undefined) {
    recordOf(this).error(reason);
  }
}

let requestInternals;
class ReadableStreamBYOBRequest {
  #controller;
  #view;
  /** @param {any} [key] @param {any} [controller] @param {any} [view] */
  constructor(key = undefined, controller = undefined, view = undefined) {
    if (key !== KEY) throw illegalConstructor();
    this.#controller = controller;
    this.#view = view;
  }
  get view() {
    if (!(#view in objectOf(this))) throw wrongReceiver('ReadableStreamBYOBRequest');
    return this.#view;
  }
  respond(count) {
    if (!(#view in objectOf(this))) throw wrongReceiver('ReadableStreamBYOBRequest');
    if (this.#controller === undefined) throw stateError('This BYOB request has been invalidated');
    if (isDetached(this.#view.buffer)) throw stateError('Viewed ArrayBuffer is detached');
    const number = Number(count);
    if (!NumberIsInteger(number) || number < 0) throw new codes.ERR_INVALID_ARG_VALUE('bytesWritten', count);
    this.#controller.respond(number);
  }
  respondWithNewView(view) {
    if (!(#view in objectOf(this))) throw wrongReceiver('ReadableStreamBYOBRequest');
    if (this.#controller === undefined) throw stateError('This BYOB request has been invalidated');
    if (!ArrayBufferIsView(view)) throw new codes.ERR_INVALID_ARG_TYPE('view', ['Buffer', 'TypedArray', 'DataView'], view);
    if (isDetached(view.buffer)) throw stateError('Viewed ArrayBuffer is detached');
    this.#controller.respondWithNewView(view);
  }
  static {
    requestInternals = {
      invalidate(request) {
        request.#controller = undefined;
        request.#view = null;
      },
    };
  }
}
finish(ReadableByteStreamController, 'ReadableByteStreamController');
finish(ReadableStreamBYOBRequest, 'ReadableStreamBYOBRequest');

module.exports = {
  ReadableByteStreamController,
  ReadableStreamBYOBRequest,
  controllerFor: (record) => new ReadableByteStreamController(KEY, record),
  requestFor: (record, view) => new ReadableStreamBYOBRequest(KEY, record, view),
  invalidate: requestInternals.invalidate,
};
