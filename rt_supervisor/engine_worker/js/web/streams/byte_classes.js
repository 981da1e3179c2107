// @ts-check
'use strict';
// Owns: ReadableByteStreamController and ReadableStreamBYOBRequest as programs see them (Streams standard §4.7, §4.8).

const { ArrayBufferIsView, NumberIsInteger } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { finish, illegalConstructor, stateError, wrongReceiver } = require('web/streams/basics');

const KEY = Symbol('record');
const isDetached = (buffer) => buffer.detached;

class ReadableByteStreamController {
  #record;
  constructor(key, record) {
    if (key !== KEY) throw illegalConstructor();
    this.#record = record;
  }
  #check() {
    if (!(#record in this)) throw wrongReceiver('ReadableByteStreamController');
    return this.#record;
  }
  get byobRequest() {
    return this.#check().getRequest();
  }
  get desiredSize() {
    return this.#check().desiredSize();
  }
  close() {
    const record = this.#check();
    if (record.closeRequested || record.stream.state !== 'readable') throw stateError('Controller is already closed');
    record.close();
  }
  enqueue(chunk) {
    const record = this.#check();
    if (!ArrayBufferIsView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], chunk);
    if (chunk.byteLength === 0 || chunk.buffer.byteLength === 0) throw stateError('chunk ArrayBuffer is zero-length or detached');
    if (record.closeRequested || record.stream.state !== 'readable') throw stateError('Controller is already closed');
    record.enqueue(chunk);
  }
  error(reason = undefined) {
    this.#check().error(reason);
  }
}

let requestInternals;
class ReadableStreamBYOBRequest {
  #controller;
  #view;
  constructor(key, controller, view) {
    if (key !== KEY) throw illegalConstructor();
    this.#controller = controller;
    this.#view = view;
  }
  get view() {
    if (!(#view in this)) throw wrongReceiver('ReadableStreamBYOBRequest');
    return this.#view;
  }
  respond(count) {
    if (!(#view in this)) throw wrongReceiver('ReadableStreamBYOBRequest');
    if (this.#controller === undefined) throw stateError('This BYOB request has been invalidated');
    if (isDetached(this.#view.buffer)) throw stateError('Viewed ArrayBuffer is detached');
    const number = Number(count);
    if (!NumberIsInteger(number) || number < 0) throw new codes.ERR_INVALID_ARG_VALUE('bytesWritten', count);
    this.#controller.respond(number);
  }
  respondWithNewView(view) {
    if (!(#view in this)) throw wrongReceiver('ReadableStreamBYOBRequest');
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
