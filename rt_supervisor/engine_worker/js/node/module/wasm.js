'use strict';
// Owns: WebAssembly files as ES modules: compilation, and instantiation with the exports of imported modules. Python creates
// the module record and resolves its imports (modules/wasm.py).

const {
  ArrayIncludes,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  JSONParse,
  MapGet,
  MapSet,
  ObjectAssign,
  ObjectDefineProperty,
  StringStartsWith,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { pathToHref } = require('internal/file_url');

const compiled = new Map(); // by the module's name
const instances = new WeakMap(); // namespace of the module -> exports of the instance, with globals as objects

const urlOf = (name) => (StringStartsWith(name, '/') ? pathToHref(name) : name);
const isReserved = (name) => StringStartsWith(name, 'wasm:') || StringStartsWith(name, 'wasm-js:');

/**
 * Compiles a file; returns the names of its imported modules and of its exports. The engine provides imports from `wasm:`.
 */
function compile(name, bytes) {
  let module = MapGet(compiled, name);
  if (module === undefined) {
    try {
      module = new WebAssembly.Module(bytes, { builtins: ['js-string'], importedStringConstants: 'wasm:js/string-constants' });
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
    MapSet(compiled, name, module);
  }
  const imports = [];
  for (const each of intact(WebAssembly.Module.imports(module))) {
    if (StringStartsWith(each.module, 'wasm-js:'))
      throw new WebAssembly.LinkError(`Invalid Wasm import "${each.module}" in ${urlOf(name)}`);
    if (isReserved(each.name)) throw new WebAssembly.LinkError(`Invalid Wasm import name "${each.name}" in ${urlOf(name)}`);
    if (!ArrayIncludes(imports, each.module)) ArrayPush(imports, each.module);
  }
  const exports = ArrayMap(WebAssembly.Module.exports(module), (each) => each.name);
  for (const each of intact(exports))
    if (isReserved(each)) throw new WebAssembly.LinkError(`Invalid Wasm export name "${each}" in ${urlOf(name)}`);
  return [imports, exports];
}

const source = (name) => MapGet(compiled, name);

function noSource(name) {
  const message = `Source phase import object is not defined for module '${urlOf(name)}'`;
  const error = new SyntaxError(message);
  const { describe } = require('internal/errors/report');
  return describe(ObjectAssign(error, { code: 'ERR_SOURCE_PHASE_NOT_DEFINED' }), { text: message, frames: [] });
}

/** An instance's imports from one module; globals of another instance are passed as objects, not as values. */
function importValues(namespace, names) {
  const exports = WeakMapGet(instances, namespace);
  if (exports === undefined) return namespace;
  const values = ObjectAssign({ __proto__: null }, namespace);
  for (const name of intact(names)) values[name] = exports[name];
  return values;
}

/** The values of the exports of the module `name`, in order; `imports` has pairs of specifier and namespace. */
function instantiate(name, imports, own) {
  require('node/process/warnings').warnOfExperiment('Importing WebAssembly module instances');
  const module = MapGet(compiled, name);
  const from = { __proto__: null };
  for (const { 0: specifier, 1: namespace } of intact(imports)) {
    const globals = [];
    for (const each of intact(WebAssembly.Module.imports(module)))
      if (each.kind === 'global' && each.module === specifier) ArrayPush(globals, each.name);
    from[specifier] = importValues(namespace, globals);
  }
  const { exports } = new WebAssembly.Instance(module, from);
  WeakMapSet(instances, own, exports);
  const values = [];
  for (const { name: each, kind } of intact(WebAssembly.Module.exports(module)))
    ArrayPush(values, kind === 'global' ? valueOf(exports[each]) : exports[each]);
  return values;
}

function valueOf(variable) {
  try {
    return variable.value;
  } catch {
    return undefined; // v128 has no value in JavaScript
  }
}

/** Fills `meta` of the module `name`; `own` is its namespace. */
function fill(meta, name, own) {
  const value = (imports) => instantiate(name, imports, own);
  ObjectDefineProperty(meta, '__wasm', { __proto__: null, value, enumerable: false, configurable: true });
}

/** Runs the file `name` as the program, if it targets WASI: its preopened directory is the current one, as in the peer. */
function runGuest(name) {
  const module = MapGet(compiled, name);
  const imported = ArrayMap(WebAssembly.Module.imports(module), (each) => each.module);
  const version = ArrayIncludes(imported, 'wasi_snapshot_preview1')
    ? 'preview1'
    : ArrayIncludes(imported, 'wasi_unstable')
      ? 'unstable'
      : undefined;
  if (version === undefined) return false;
  const { process } = runtimeParts.process;
  const { WASM_CWD, WASM_ROOT_DIR, WASM_ENV_STR } = process.env;
  require('node/process/warnings').suppressWarning('WASI');
  const { WASI } = require('node/wasi/wasi');
  const wasi = new WASI({
    version,
    args: ArraySlice(process.argv, 1),
    env: WASM_ENV_STR ? JSONParse(WASM_ENV_STR) : process.env,
    preopens: { '.': WASM_CWD || host.cwd(), '/': WASM_ROOT_DIR || '/' },
  });
  const status = wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
  if (status !== 0) process.exitCode = status;
  return true;
}

module.exports = { compile, runGuest, source, noSource, fill };
