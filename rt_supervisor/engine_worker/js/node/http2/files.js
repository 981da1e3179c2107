// @ts-check
'use strict';
// Owns: files as responses of a ServerHttp2Stream.

const { FunctionCall, MathMax, MathMin } = require('internal/primordials');
const { http2Error } = require('node/http2/errors');
const INTERNAL_ERROR = 2;
const builtins = require('node/module/builtins');

function respondWithFile(stream, path, headers, options) {
  const fs = builtins.load('fs');
  const fail = (error) => {
    if (options.onError) options.onError(error);
    else stream.destroy(error);
  };
  fs.open(path, 'r', (error, fd) => {
    if (error) {
      fail(error);
      return;
    }
    give(stream, fd, headers, options, fail, true);
  });
}

function respondWithDescriptor(stream, given, headers, options) {
  const fd = typeof given === 'number' ? given : given.fd;
  if (options.statCheck === undefined) {
    stream.respond(headers, { waitForTrailers: options.waitForTrailers });
    if (stream.isLocalEnded) stream.end();
    else pour(stream, fd, options.offset, options.length, false);
    return;
  }
  give(stream, fd, headers, options, (error) => stream.destroy(error), false);
}

function give(stream, fd, headers, options, fail, closes) {
  const fs = builtins.load('fs');
  const drop = () => {
    if (closes) fs.close(fd, () => {});
  };
  const isPart = options.offset !== undefined || options.length !== undefined;
  fs.fstat(fd, (error, stat) => {
    if (error || stream.destroyed || stream.closed || stat.isDirectory() || (closes && !stat.isFile() && isPart)) {
      drop();
      if (error) fail(error);
      else if (!stream.destroyed && !stream.closed)
        fail(http2Error(stat.isDirectory() ? 'ERR_HTTP2_SEND_FILE' : 'ERR_HTTP2_SEND_FILE_NOSEEK'));
      return;
    }
    const fields = { __proto__: null, ...headers };
    const { offset = 0, length = -1 } = options;
    const range = { offset, length };
    if (
      (options.statCheck == null ? undefined : FunctionCall(options.statCheck, stream, stat, fields, range)) === false ||
      stream.sentHeaders !== undefined
    ) {
      drop();
      return;
    }
    const size =
      range.length >= 0 ? MathMin(range.length, MathMax(0, stat.size - range.offset)) : MathMax(0, stat.size - range.offset);
    if (stat.isFile()) fields['content-length'] ??= size;
    try {
      stream.respond(fields, { waitForTrailers: options.waitForTrailers });
    } catch (failure) {
      drop();
      stream.destroy(failure); // nothing else can handle it
      return;
    }
    if (stream.isLocalEnded || (size === 0 && stat.isFile())) {
      drop();
      stream.end();
      return;
    }
    if (stat.isFile()) pour(stream, fd, range.offset, size, closes);
    else pour(stream, fd, undefined, undefined, closes);
  });
}

/** Sends `length` bytes of a descriptor from `offset` on, or all of them. */
function pour(stream, fd, offset, length, closes) {
  const part = { start: offset, end: length === undefined || length < 0 ? undefined : (offset ?? 0) + length - 1 };
  if (part.end !== undefined) part.start ??= 0;
  const file = builtins.load('fs').createReadStream('', { fd, autoClose: closes, ...part });
  file.on('error', () => stream.destroy(http2Error('ERR_HTTP2_STREAM_ERROR', INTERNAL_ERROR)));
  stream.once('close', () => {
    if (closes) file.destroy();
    else file.unpipe(stream); // the program keeps ownership of the descriptor
  });
  // Only the file ends the body: until then end() calls of the program do nothing.
  const end = () => stream;
  stream.end = end;
  file.on('end', () => {
    delete stream.end;
    stream.end();
  });
  file.pipe(stream, { end: false });
}

module.exports = { respondWithFile, respondWithDescriptor };
