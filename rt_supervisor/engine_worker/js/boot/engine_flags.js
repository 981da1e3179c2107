// @ts-check
'use strict';
// Owns: flags of the engine that a program notices: `--expose-gc`, `--stack-trace-limit`. Loaded where one is given.

const { intact } = require('internal/primordials');

const { native } = host;

function start({ exposeGc, stackTraceLimit }, define) {
  if (typeof stackTraceLimit === 'number') {
    Error.stackTraceLimit = stackTraceLimit;
    native.setV8Flags(`--stack-trace-limit=${stackTraceLimit}`); // of contexts to come
  }
  if (exposeGc)
    define('gc', function gc(...options) {
      return native.collections_collect(...intact(options));
    });
}

module.exports = { start };
