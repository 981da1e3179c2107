'use strict';
// Owns: Responses that HTMLRewriter transforms: a new Response with the same head. A document in memory is rewritten at once; a
// streamed one is rewritten as it arrives and is read.

const { ObjectAssign, PromiseThen } = require('internal/primordials');
const { bytesOf } = require('internal/bytes');
const { Body } = require('web/fetch/body');
const { make, partsOf } = require('web/fetch/response');
const { Headers } = require('web/fetch/headers');
const { AnyCatch } = require('internal/any_kind');

/** `rewritingOf()` creates the rewriting. */
function transform(response, rewritingOf) {
  const { status, reason, body: source } = partsOf(response);
  if (source.isDisturbed || source.isLocked)
    throw ObjectAssign(new TypeError('Response body already used'), { code: 'ERR_INVALID_ARG_TYPE' });
  const headers = new Headers(response.headers);
  headers.delete('content-length'); // the length will differ
  const rewriting = rewritingOf();
  const wasNull = source.isNull;
  const body = new Body();
  const bytes = source.bytesAtHand();
  if (bytes === undefined) {
    body.stream = streamOf(rewriting, source.asStream());
    source.isUsed = true;
  } else fill(body, rewriting, bytes, wasNull);
  const { url, redirected: isRedirected } = response;
  return make({ status, reason, rawHeaders: headers, body, url, isRedirected });
}

/** Rewrites a complete document; an error that a handler throws becomes the body's error. */
function fill(body, rewriting, bytes, wasNull) {
  let waits;
  try {
    waits = rewriting.feed(bytes);
    waits = waits === undefined ? rewriting.finish() : PromiseThen(waits, () => rewriting.finish());
  } catch (error) {
    body.stream = later(rewriting, () => {
      throw error;
    });
    return;
  }
  if (waits === undefined) {
    const output = rewriting.takeOutput();
    if (!wasNull || output.length > 0) body.source = output;
    return;
  }
  AnyCatch(waits, () => {}); // the body's reader receives the error
  body.stream = later(rewriting, () => waits);
}

/** Returns a stream of the output that is available after `ready()`. */
function later(rewriting, ready) {
  const { ReadableStream } = require('web/streams/all');
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      await ready();
      const output = rewriting.takeOutput();
      if (output.length > 0) controller.enqueue(output);
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel() {
      rewriting.stop();
    },
  });
}

/** Returns the stream of a streamed document. */
function streamOf(rewriting, source) {
  const { ReadableStream } = require('web/streams/all');
  const reader = source.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await reader.read();
          await (done ? rewriting.finish() : rewriting.feed(chunkOf(value)));
          const output = rewriting.takeOutput();
          const hasOutput = output.length > 0; // the stream takes ownership of the bytes
          if (hasOutput) controller.enqueue(output);
          if (done) {
            controller.close();
            controller.byobRequest?.respond(0);
          }
          if (done || hasOutput) return;
        }
      } catch (error) {
        rewriting.stop();
        AnyCatch(reader.cancel(error), () => {});
        throw error;
      }
    },
    cancel(reason) {
      rewriting.stop();
      return reader.cancel(reason);
    },
  });
}

function chunkOf(value) {
  const bytes = typeof value === 'string' ? host.native.encodeUtf8(value) : bytesOf(value);
  if (bytes === undefined) throw new TypeError('Received non-Uint8Array chunk');
  return bytes;
}

module.exports = { transform };
