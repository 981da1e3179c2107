'use strict';
// Owns: the module node:repl.

const { AnyIncludes } = require('internal/any_kind');
const { ArrayFilter, ObjectDefineProperty, StringStartsWith, intact } = require('internal/primordials');
const { REPLServer, writer, MODES, Recoverable } = require('node/repl/server');
const { isValidSyntax } = require('node/repl/evaluate');
const { names } = require('node/module/builtins');

function start(prompt, source, eval_, useGlobal, ignoreUndefined, replMode) {
  return new REPLServer(prompt, source, eval_, useGlobal, ignoreUndefined, replMode);
}

module.exports = {
  start,
  writer,
  REPLServer,
  REPL_MODE_SLOPPY: MODES.sloppy,
  REPL_MODE_STRICT: MODES.strict,
  Recoverable,
  isValidSyntax,
};
for (const name of intact(['builtinModules', '_builtinLibs'])) {
  ObjectDefineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get: () =>
      ArrayFilter(names(), (each) => !StringStartsWith(each, '_') && !AnyIncludes(each, '/') && !StringStartsWith(each, 'node:')),
  });
}
