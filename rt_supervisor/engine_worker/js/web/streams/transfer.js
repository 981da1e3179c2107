// @ts-check
'use strict';
// Owns: transferable streams (Streams standard §8.2): chunks and pull requests pass through a pair of ports. A port keeps the
// program alive while a read or write waits for a message.

const { PromiseWithResolvers } = require('internal/promises');
const { dataCloneError } = require('web/messaging/structured_clone');
const { markHandled } = require('web/streams/basics');
const { createReadableStream } = require('web/streams/readable_default');
const { createWritableStream, recordOf: writableRecordOf } = require('web/streams/writable');
const { recordOf: readableRecordOf } = require('web/streams/readable');

const channel = () => new (require('web/messaging/port').MessageChannel)();
const lost = () => dataCloneError('The other end of a transferred stream is closed');

/** Posts an error to the other end; a reason that cannot be cloned becomes undefined. */
function postError(port, value) {
  try {
    port.postMessage({ type: 'error', value });
  } catch {
    port.postMessage({ type: 'error', value: undefined });
  }
}

/**
 * SetUpCrossRealmTransformReadable: chunks arrive through `port`. A pending read keeps the program alive unless the other end is
 * the writable stream that a program holds.
 */
function readableFrom(port, isKeeping = true) {
  let pendingPull; // the promise of a pull that waits for a chunk, with its resolving functions
  /** @type {(finish: () => void) => void} */
  let end = () => {};
  const settlePull = () => {
    port.unref();
    pendingPull?.resolve();
    pendingPull = undefined;
  };
  const stream = createReadableStream({
    __proto__: null,
    start: () => undefined,
    highWaterMark: 0,
    pull() {
      pendingPull = PromiseWithResolvers();
      if (isKeeping) port.ref();
      port.postMessage({ type: 'pull' });
      return pendingPull.promise;
    },
    async cancel(reason) {
      postError(port, reason);
      port.close();
    },
  });
  const { controller } = readableRecordOf(stream);
  end = (finish) => {
    finish();
    settlePull();
    port.close();
  };
  const onmessage = ({ data: { type, value } }) => {
    if (type === 'chunk') {
      controller.enqueue(value);
      settlePull();
    } else if (type === 'close') end(() => controller.close());
    else if (type === 'error') end(() => controller.error(value));
  };
  port.onmessage = onmessage;
  const onmessageerror = () => end(() => controller.error(lost()));
  port.onmessageerror = onmessageerror;
  port.unref();
  return stream;
}

/** SetUpCrossRealmTransformWritable: chunks are sent through `port`, one for each pull. */
function writableTo(port) {
  let ready = PromiseWithResolvers();
  const wait = async () => {
    port.ref();
    await ready.promise;
    port.unref();
  };
  const stream = createWritableStream({
    __proto__: null,
    start: () => undefined,
    async write(chunk) {
      await wait();
      ready = PromiseWithResolvers();
      try {
        port.postMessage({ type: 'chunk', value: chunk });
      } catch (error) {
        postError(port, error);
        port.close();
        throw error;
      }
    },
    async close() {
      port.postMessage({ type: 'close' });
      port.close();
    },
    async abort(reason) {
      postError(port, reason);
      port.close();
    },
  });
  const { controller } = writableRecordOf(stream);
  const onmessage = ({ data: { type, value } }) => {
    if (type === 'error') controller.error(value);
    ready.resolve();
  };
  port.onmessage = onmessage;
  const onmessageerror = () => {
    controller.error(lost());
    ready.resolve();
  };
  port.onmessageerror = onmessageerror;
  port.unref();
  return stream;
}

function check(stream, name) {
  if (stream.locked) throw dataCloneError(`Cannot transfer a locked ${name}`);
}

const pipe = (readable, writable) => {
  const none = { preventClose: false, preventAbort: false, preventCancel: false, signal: undefined };
  markHandled(require('web/streams/pipe').pipeTo(readableRecordOf(readable), writableRecordOf(writable), none));
};

function packReadable(stream) {
  check(stream, 'ReadableStream');
  const { port1, port2 } = channel();
  pipe(stream, writableTo(port1));
  return port2;
}

function packWritable(stream) {
  check(stream, 'WritableStream');
  const { port1, port2 } = channel();
  pipe(readableFrom(port1, false), stream);
  return port2;
}

/** Returns the ports that connect a stream with its copy. */
function pack(name, stream) {
  switch (name) {
    case 'ReadableStream':
      return { ports: [packReadable(stream)], facts: undefined };
    case 'WritableStream':
      return { ports: [packWritable(stream)], facts: undefined };
    default:
      check(stream.readable, 'ReadableStream');
      check(stream.writable, 'WritableStream');
      return { ports: [packReadable(stream.readable), packWritable(stream.writable)], facts: undefined };
  }
}

/** Recreates a stream from its ports. */
function unpack(name, { ports }) {
  switch (name) {
    case 'ReadableStream':
      return readableFrom(ports[0]);
    case 'WritableStream':
      return writableTo(ports[0]);
    default:
      return require('web/streams/transform').joined(readableFrom(ports[0]), writableTo(ports[1]));
  }
}

module.exports = { pack, unpack };
