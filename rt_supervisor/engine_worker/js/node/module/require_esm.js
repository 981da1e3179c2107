// @ts-check
'use strict';
// Owns: require() of an ES module: what Node refuses and reports, for programs that see Node only. The native loader finds
// cycles and top-level awaits (native/src/program/cycles.rs).

const native = host.native;
const {
  ArrayFilter,
  ArrayIncludes,
  ArrayMap,
  ErrorCaptureStackTrace,
  ObjectAssign,
  RegExpTest,
  SetAdd,
  SetDelete,
  SetHas,
  StringEndsWith,
  StringLastIndexOf,
  StringSlice,
} = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');

const OFF = ['--no-experimental-require-module', '--no-require-module'];
const TRACED = '--trace-require-module';
const MODULE_SYNTAX = /^\s*(?:import\b[^(]|export\b)/m; // enough to choose the words of an error
const IN_PACKAGE = /[\\/]node_modules[\\/]/;

/** Whether `flags` turn require() of ES modules off. */
const isOff = (flags) => ArrayIncludes(flags, OFF[0]) || ArrayIncludes(flags, OFF[1]);

/** Throws the syntax error of a file that is compiled as CommonJS although it has the syntax of an ES module. */
function failAsCommonJs(filename) {
  native.modules_compileWrapper(require('node/fs/sync').readFileSync(filename, 'utf8'), filename);
}

/** Returns what Node advises instead of the require() of an ES module. */
function remedyFor(filename, requirer) {
  const instead = 'to a dynamic import() which is available in all CommonJS modules.';
  if (StringEndsWith(filename, '.mjs')) return `\nInstead change the require of ${filename} ${instead}`;
  const name = StringSlice(filename, StringLastIndexOf(filename, '/') + 1);
  const text = require('node/fs/sync').readFileSync(filename, 'utf8');
  if (RegExpTest(MODULE_SYNTAX, text)) return `\nInstead change the require of ${name} in ${requirer} ${instead}`;
  return (
    `\n${name} is treated as an ES module file as it is a .js file whose nearest parent package.json contains "type": "module" ` +
    `which declares all .js files in that package scope as ES modules.\nInstead either rename ${name} to end in .cjs, change the ` +
    'requiring code to use dynamic import() which is available in all CommonJS modules, or change "type": "module" to "type": ' +
    `"commonjs" in ${require('node/module/formats').manifestOf(filename)} to treat all .js files as CommonJS (using .mjs for all ES modules instead).\n`
  );
}

/** Throws the error of a program that has turned require() of ES modules off. */
function refuse(filename, requirer) {
  if (require('node/module/formats').formatOf(filename) === undefined) failAsCommonJs(filename);
  const message = `require() of ES Module ${filename} from ${requirer} not supported.${remedyFor(filename, requirer)}`;
  const error = new Error(message);
  ErrorCaptureStackTrace(error, require('node/module/commonjs').Module.prototype.require); // the program's frames
  require('internal/errors/node_report').nameCode(error, 'ERR_REQUIRE_ESM');
  throw ObjectAssign(error, { code: 'ERR_REQUIRE_ESM' });
}

/** Emits the warning of --trace-require-module: `all`, or `no-node-modules` for the program's own calls only. */
function trace(flags, filename, requirer) {
  const isTraced =
    ArrayIncludes(flags, TRACED) ||
    ArrayIncludes(flags, `${TRACED}=all`) ||
    (ArrayIncludes(flags, `${TRACED}=no-node-modules`) && !RegExpTest(IN_PACKAGE, requirer));
  if (!isTraced) return;
  host.emitWarning(
    `CommonJS module ${requirer} is loading ES Module ${filename} using require().\n` +
      'Support for loading ES Module in require() is an experimental feature and might change at any time',
    'ExperimentalWarning',
  );
}

const open = new Set(); // modules whose namespace is being requested

/** Throws the error of a cycle if `module`, which is required again, is an ES module that require() has not loaded completely. */
function checkCycle(module) {
  if (SetHas(open, module)) native.modules_failCycle('required', module.filename, module.parent?.filename ?? '');
}

/** The namespace of the ES module `name`, a filename with a query, evaluated for `module`. */
function load(module, name) {
  if (startValues.programName !== 'node') return native.modules_requireEsm(name);
  const requirer = module.parent?.filename ?? '';
  const flags = givenFlags(runtimeParts.process.process);
  if (isOff(flags)) refuse(module.filename, requirer);
  if (StringEndsWith(module.filename, '.cjs')) failAsCommonJs(module.filename);
  if (requirer !== '') trace(flags, module.filename, requirer);
  const { running } = require('node/module/commonjs');
  const files = ArrayMap(
    ArrayFilter(running, (each) => !SetHas(open, each) && each !== module),
    ({ filename }) => filename,
  );
  SetAdd(open, module);
  try {
    return native.modules_requireEsm(name, requirer, files);
  } finally {
    SetDelete(open, module);
  }
}

module.exports = { isOff, checkCycle, load };
