// @ts-check
'use strict';
// Owns: the creation of byte streams from a program's source or from the runtime's own functions. The algorithms are in
// web/streams/byte_controller.

const { PromiseResolve } = require('internal/promises');
const { ArrayMap, FunctionCall } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { invoke, invokeOnce, methodOf } = require('web/streams/basics');
const { ByteControllerRecord } = require('web/streams/byte_controller');
const readable = require('web/streams/readable');

/** SetUpReadableByteStreamControllerFromUnderlyingSource */
function setUpFromSource(stream, source, highWaterMark) {
  const { 0: start, 1: pull, 2: cancel } = ArrayMap(['start', 'pull', 'cancel'], (name) => methodOf(source, name, 'source'));
  let { autoAllocateChunkSize } = source;
  if (autoAllocateChunkSize !== undefined) {
    autoAllocateChunkSize = Number(autoAllocateChunkSize);
    if (!(autoAllocateChunkSize > 0))
      throw new codes.ERR_INVALID_ARG_VALUE('source.autoAllocateChunkSize', source.autoAllocateChunkSize);
  }
  const controller = new ByteControllerRecord(stream, {
    pull: pull === undefined ? () => PromiseResolve() : () => invoke(pull, source, controller.object),
    cancel: cancel === undefined ? () => PromiseResolve() : (reason) => invokeOnce(cancel, source, reason),
    highWaterMark,
    autoAllocateChunkSize,
  });
  controller.start(start == null ? undefined : FunctionCall(start, source, controller.object));
}

/**
 * CreateReadableByteStream; `start(controller)` receives the controller's record.
 * @param {{ __proto__?: null, start?: any, pull: any, cancel: any, highWaterMark?: number, autoAllocateChunkSize?: number }} source
 */
function createByteStream({ start, pull, cancel, highWaterMark = 0, autoAllocateChunkSize }) {
  return readable.create((record) => {
    const controller = new ByteControllerRecord(record, { pull, cancel, highWaterMark, autoAllocateChunkSize });
    controller.start(start?.(controller));
  });
}

module.exports = { setUpFromSource, createByteStream };
