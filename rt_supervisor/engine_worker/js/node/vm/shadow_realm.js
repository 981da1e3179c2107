'use strict';
// Owns: what a `ShadowRealm` sees (`--experimental-shadow-realm`): the Web's globals that need no process, made by running the
// library's files in the realm, and its own copies of modules. Hooks, preloads and built-in modules are those of the program's
// realm only.

// prettier-ignore
const { ArrayIncludes, FunctionToString, MapGet, MapSet, ObjectDefineProperty, RegExpTest, StringStartsWith, WeakSetAdd, intact } = require('internal/primordials');
const { realms } = require('internal/stack');
const { listen, register, trust } = require('node/vm/imports');

const { native } = host;
// file -> the globals that it exports
const GLOBALS = {
  __proto__: null,
  'internal/dom_exception': ['DOMException'],
  'web/encoding/text': ['TextEncoder', 'TextDecoder'],
  'web/event_target': ['EventTarget', 'Event', 'CustomEvent'],
  'web/abort': ['AbortController', 'AbortSignal'],
  'web/url/class': ['URL', 'URLSearchParams'],
};
// Files with state of the process, which realms share; other files of these floors run in each realm.
const SHARED = ['internal/timers', 'internal/async/context', 'internal/parts', 'internal/start_values', 'internal/completions'];
const OF_REALM = /^(?:internal|web)\//;
const WITH_SCHEME = /^[a-z][a-z+.-]*:/i;
const RELATIVE = /^\.{0,2}\//;

/** `require` for the library's files in the realm of `global`. */
function requireIn(global) {
  const { Script } = require('node/vm/script');
  const modules = {
    __proto__: null,
    // V8 calls one function for the lazy values of all realms.
    'internal/lazy': { exports: { defineLazily, start() {} } },
  };
  return function requireOfRealm(id) {
    if (!RegExpTest(OF_REALM, id) || ArrayIncludes(SHARED, id)) return require(id);
    let module = modules[id];
    if (module === undefined) {
      module = modules[id] = { exports: {} };
      const text = FunctionToString(native.core_libraryModule(id));
      new Script(`(${text})`, { filename: `rt:${id}` }).runInContext(global)(module.exports, requireOfRealm, module, host);
    }
    return module.exports;
  };
}

function defineLazily(object, name, load, enumerable = true) {
  const settle = (value) =>
    ObjectDefineProperty(object, name, { __proto__: null, value, writable: true, enumerable, configurable: true });
  ObjectDefineProperty(object, name, {
    __proto__: null,
    get() {
      const value = load();
      settle(value);
      return value;
    },
    set: settle,
    enumerable,
    configurable: true,
  });
}

/** The URL of the file that a specifier names. */
function resolve(specifier, base) {
  const { URL } = require('web/url/class');
  const { isBuiltin } = require('node/module/builtins');
  if (StringStartsWith(specifier, 'node:')) throw new Error(`No such built-in module: ${specifier}`);
  if (RegExpTest(RELATIVE, specifier) || RegExpTest(WITH_SCHEME, specifier)) return new URL(specifier, base).href;
  const { fileURLToPath, pathToFileURL } = require('node/url/url');
  const { 0: kind, 1: path } = isBuiltin(specifier) ? [''] : native.modules_resolve(specifier, fileURLToPath(base), false);
  if (kind !== 'file') throw new Error(`Cannot find package '${specifier}' imported from ${fileURLToPath(base)}`);
  return pathToFileURL(path).href;
}

/** The modules of the realm of `global`. */
function loaderFor(global) {
  const { SourceTextModule } = require('node/vm/module');
  const modules = new Map(); // URL -> the module
  const evaluations = new Map(); // URL -> the promise of its evaluation
  const importFrom = (base) => trust((specifier) => load(resolve(specifier, base)));
  const find = async (url) => {
    let module = MapGet(modules, url);
    if (module === undefined) {
      module = new SourceTextModule(require('node/fs/sync').readFileSync(require('node/url/url').fileURLToPath(url), 'utf8'), {
        identifier: url,
        context: global,
        importModuleDynamically: importFrom(url),
        initializeImportMeta(meta) {
          meta.url = url;
        },
      });
      MapSet(modules, url, module);
    }
    return module;
  };
  const evaluate = async (url) => {
    const module = await find(url);
    if (module.status === 'unlinked') await module.link((specifier, importer) => find(resolve(specifier, importer.identifier)));
    await module.evaluate();
    return module;
  };
  const load = (url) => {
    let evaluation = MapGet(evaluations, url);
    if (evaluation === undefined) MapSet(evaluations, url, (evaluation = evaluate(url)));
    return evaluation;
  };
  return (specifier) => load(resolve(specifier, `${require('node/url/url').pathToFileURL(host.cwd()).href}/`));
}

/** The global object of a new realm. */
function createRealm() {
  const symbol = Symbol('ShadowRealm');
  const global = native.vmMakeContext(undefined, true, true, false, symbol);
  WeakSetAdd(realms, global);
  let load;
  register(
    symbol,
    trust((specifier) => (load ??= loaderFor(global))(specifier)),
    global,
  );
  const requireOfRealm = requireIn(global);
  for (const file in GLOBALS) {
    for (const name of intact(GLOBALS[file])) defineLazily(global, name, () => requireOfRealm(file)[name], false);
  }
  return global;
}

function start() {
  listen();
  native.vmRealms(createRealm);
}

module.exports = { start };
