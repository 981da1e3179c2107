// @ts-check
'use strict';
// Owns: content encodings: decompresses a body as it arrives, one encoding after the other, and no faster than it is read.

const {
  ArrayAt,
  ArrayEvery,
  ArrayFilter,
  ArrayMap,
  ArrayReverse,
  StringSplit,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const { terminatedError } = require('node/fetch/errors');
const builtins = require('node/module/builtins');

const MOST_CODINGS = 5; // each one multiplies the size that a few bytes can expand to

const MAKERS = {
  __proto__: null,
  'gzip': (zlib, flush) => zlib.createGunzip(flush),
  'x-gzip': (zlib, flush) => zlib.createGunzip(flush),
  'deflate': (zlib, flush) => lenientInflate(zlib, flush),
  'br': (zlib) =>
    zlib.createBrotliDecompress({
      flush: zlib.constants.BROTLI_OPERATION_FLUSH,
      finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
    }),
  'zstd': (zlib) => zlib.createZstdDecompress({ flush: zlib.constants.ZSTD_e_continue, finishFlush: zlib.constants.ZSTD_e_end }),
};

/** Some servers send the zlib format as "deflate" and others raw deflate: the first byte distinguishes them. */
function lenientInflate(zlib, flush) {
  const { Transform } = builtins.load('stream');
  let inner;
  return new Transform({
    transform(chunk, encoding, callback) {
      if (inner === undefined) {
        inner = (chunk[0] & 0x0f) === 0x08 ? zlib.createInflate(flush) : zlib.createInflateRaw(flush);
        inner.on('data', (data) => this.push(data));
        inner.on('error', (error) => this.destroy(error));
      }
      if (inner.readableEnded) callback();
      else inner.write(chunk, encoding, callback);
    },
    flush(callback) {
      if (inner === undefined || inner.readableEnded || inner.destroyed) callback();
      else inner.on('end', () => callback()).end();
    },
  });
}

/** The encodings of a response, outermost first; empty if one is unknown: the body is then left encoded. */
function codingsOf(text) {
  if (text === undefined) return [];
  const { length } = StringSplit(text, ',');
  if (length > MOST_CODINGS)
    throw new Error(`too many content-encodings in response: ${length}, maximum allowed is ${MOST_CODINGS}`);
  const names = ArrayFilter(
    ArrayMap(StringSplit(text, ','), (name) => StringToLowerCase(StringTrim(name))),
    (name) => name !== '' && name !== 'identity',
  );
  return ArrayEvery(names, (name) => name in MAKERS) ? ArrayReverse(names) : [];
}

/** Decompresses into `feed`; the connection writes to the returned object instead. */
function decode(codings, feed) {
  const zlib = builtins.load('zlib');
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const steps = ArrayMap(codings, (name) => MAKERS[name](zlib, flush));
  const [first] = intact(steps);
  const last = ArrayAt(steps, -1);
  for (let i = 1; i < steps.length; i++) steps[i - 1].pipe(steps[i]);
  for (const step of intact(steps))
    step.on('error', (error) => {
      feed.source.cancel(error);
      feed.fail(terminatedError(error));
    });
  last.on('data', (bytes) => {
    if (feed.push(bytes) === false) last.pause();
  });
  last.on('end', () => feed.end());
  const { source } = feed;
  feed.source = { resume: () => last.resume(), cancel: (reason) => source.cancel(reason) };
  let isHeld = false;
  first.on('drain', () => {
    if (isHeld) source.resume();
    isHeld = false;
  });
  return {
    push(bytes) {
      isHeld = !first.write(bytes);
      return !isHeld;
    },
    end: () => first.end(),
    fail: (error) => feed.fail(error),
  };
}

module.exports = { codingsOf, decode };
