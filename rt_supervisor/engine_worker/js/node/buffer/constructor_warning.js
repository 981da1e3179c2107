// @ts-check
'use strict';
// Owns: the deprecation of `Buffer()` and `new Buffer()` (DEP0005), for programs that see Node only. As in Node, packages do
// not cause it, except with --pending-deprecation.

const runtimeParts = require('internal/parts');
const { RegExpTest } = require('internal/primordials');
const { hasPendingDeprecations } = require('internal/given_flags');

const TEXT =
  'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), Buffer.allocUnsafe(), or ' +
  'Buffer.from() methods instead.';
const IN_PACKAGE = /[/\\]node_modules[/\\]/;
const MOST_CHECKS = 10000; // then a package is the only caller
let checks = 0;
let isEmitted = false;

/** Whether the program's innermost frame is a file of a package. */
function isCalledByPackage() {
  let callers;
  try {
    callers = require('node/util/util').getCallSites(100);
  } catch {
    return false; // inside of Error.prepareStackTrace, where V8 does not provide call sites
  }
  for (let index = 0; index < callers.length; index++) {
    const { scriptName } = callers[index];
    if (scriptName !== '' && !RegExpTest(/^(?:rt|node):/, scriptName)) return RegExpTest(IN_PACKAGE, scriptName);
  }
  return false;
}

/** Emits the warning once. */
function warnOfConstructor() {
  if (isEmitted || ++checks > MOST_CHECKS) return;
  const { process } = runtimeParts.process;
  const isPending = hasPendingDeprecations(process);
  if (!isPending && isCalledByPackage()) return;
  isEmitted = true;
  host.emitWarning(TEXT, 'DeprecationWarning', 'DEP0005');
}

module.exports = { warnOfConstructor };
