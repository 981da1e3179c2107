// @ts-check
'use strict';
// Owns: engine flags with effects that a program can observe: `--expose-gc`, `--stack-trace-limit`,
// `--disallow-code-generation-from-strings`. Loaded only if one is given.

const { intact } = require('internal/primordials');

const { native } = host;

function start({ exposeGc, stackTraceLimit, disallowsCode }, define) {
  if (disallowsCode) native.vmDisallowCode();
  if (typeof stackTraceLimit === 'number') {
    Error.stackTraceLimit = stackTraceLimit;
    native.setV8Flags(`--stack-trace-limit=${stackTraceLimit}`); // for contexts created later
  }
  if (exposeGc)
    define('gc', function gc(...options) {
      return native.collections_collect(...intact(options));
    });
}

module.exports = { start };
