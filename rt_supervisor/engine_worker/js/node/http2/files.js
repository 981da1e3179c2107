'use strict';
// Owns: files as answers of a ServerHttp2Stream.

const { http2Error } = require('node/http2/errors');
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
  give(stream, fd, headers, options, (error) => stream.destroy(error), false);
}

function give(stream, fd, headers, options, fail, closes) {
  const fs = builtins.load('fs');
  const drop = () => {
    if (closes) fs.close(fd, () => {});
  };
  fs.fstat(fd, (error, stat) => {
    if (error || stream.destroyed || stream.closed || (closes && !stat.isFile())) {
      drop();
      if (error) fail(error);
      else if (!stream.destroyed && !stream.closed) fail(http2Error('ERR_HTTP2_SEND_FILE'));
      return;
    }
    const chosen = { __proto__: null, ...headers };
    const { offset = 0, length = -1 } = options;
    const range = { offset, length };
    if (options.statCheck?.call(stream, stat, chosen, range) === false || stream.sentHeaders !== undefined) {
      drop();
      return;
    }
    const size =
      range.length >= 0 ? Math.min(range.length, Math.max(0, stat.size - range.offset)) : Math.max(0, stat.size - range.offset);
    if (stat.isFile()) chosen['content-length'] ??= size;
    stream.respond(chosen, { waitForTrailers: options.waitForTrailers });
    if (stream.isLocalEnded || size === 0) {
      drop();
      stream.end();
      return;
    }
    const file = fs.createReadStream('', { fd, autoClose: closes, start: range.offset, end: range.offset + size - 1 });
    file.on('error', (problem) => stream.destroy(problem));
    stream.once('close', () => {
      if (closes) file.destroy();
      else file.unpipe(stream); // the descriptor stays the program's
    });
    file.pipe(stream);
  });
}

module.exports = { respondWithFile, respondWithDescriptor };
