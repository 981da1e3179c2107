'use strict';
// Owns: CommonJS: Module, require, require.cache. require() calls `Module.prototype.require`, `Module._load`,
// `Module._resolveFilename` and a function of `Module._extensions`, in this order and each by name, because programs replace
// them. Resolution is in `lookup`, loading of files in `extensions`.

const { defineLazily } = require('internal/lazy');
const native = host.native;
const runtimeParts = require('internal/parts');
const {
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayPop,
  ArrayPush,
  ArraySplice,
  FunctionCall,
  ObjectAssign,
  ObjectCreate,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectKeys,
  ReflectApply,
  RegExpReplace,
  RegExpTest,
  StringStartsWith,
  WeakMapGet,
  WeakMapHas,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const builtins = require('node/module/builtins');
const lookup = require('node/module/lookup');
const { extensionOf, isStandard, loadStandard, makeExtensions, added } = require('node/module/extensions');
const { importView, laterView, readForImport } = require('node/module/exports_view');
const { showModules } = require('node/module/require_cache');
const { folderOf } = lookup;

const parents = new WeakMap();
const cache = ObjectCreate(null);
const resolvedPaths = ObjectCreate(null); // directory, NUL, request -> the resolved filename
let mainModule;
let shownMain; // [the value that the program assigned to process.mainModule]
let entry = ''; // the file of the main module
let isPreloading = false;

function Module(id = '', parent) {
  this.id = id;
  this.path = folderOf(id);
  // Defined, because a program may have a setter on Object.prototype.
  ObjectDefineProperty(this, 'exports', { __proto__: null, value: {}, writable: true, enumerable: true, configurable: true });
  this.filename = null;
  this.loaded = false;
  this.children = [];
  WeakMapSet(parents, this, parent);
  if (ArrayIsArray(parent?.children)) ArrayPush(parent.children, this);
}

const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
const wrapper = [...intact(WRAPPER)];
const usualWrap = (script) => `${wrapper[0]}${script}${wrapper[1]}`;
let wrap = usualWrap; // `Module.wrap`, which a program may replace

const isUsuallyWrapped = () => wrap === usualWrap && wrapper[0] === WRAPPER[0] && wrapper[1] === WRAPPER[1];

Module.prototype.load = function load(filename) {
  loadInto(this, filename);
};
function loadTraced(id, parent) {
  if (runtimeParts.traceRequire === undefined) return Module._load(id, parent, false);
  return runtimeParts.traceRequire({ __proto__: null, parentFilename: parent.filename, id }, () =>
    Module._load(id, parent, false),
  );
}
Module.prototype.require = function (id) {
  lookup.checkSpecifier(id);
  return runtimeParts.timeLoad === undefined
    ? loadTraced(id, this)
    : runtimeParts.timeLoad(id, this.id, () => loadTraced(id, this));
};
Module.prototype._compile = function (content, filename, format) {
  const text = `${content}`;
  const { loadUnchanged, compileText, plainCode } = require('node/module/compiling');
  const isUsual = isUsuallyWrapped();
  if (isUsual && loadUnchanged(this, text)) return undefined;
  const run = isUsual
    ? compileText(this, text, filename, format)
    : native.modules_evaluateWrapped(`${ReflectApply(wrap, Module, [plainCode(this, text, filename, format)])}`, filename);
  if (run === undefined) return undefined;
  return FunctionCall(run, this.exports, this.exports, makeRequire(this), this, filename, folderOf(filename));
};
ObjectDefineProperties(Module.prototype, {
  __proto__: null,
  parent: {
    __proto__: null,
    get() {
      return WeakMapGet(parents, this);
    },
    set(value) {
      WeakMapSet(parents, this, value);
    },
    configurable: true,
  },
  isPreloading: {
    __proto__: null,
    get() {
      return isPreloading;
    },
    enumerable: false,
    configurable: false,
  },
});
const ownCompile = Module.prototype._compile;

/** The exports of a module that is already loaded; `parent` is added to its users. */
function again(module, parent) {
  if (!module.loaded && startValues.programName === 'node') require('node/module/require_esm').checkCycle(module);
  if (ArrayIsArray(parent?.children) && !ArrayIncludes(parent.children, module)) ArrayPush(parent.children, module);
  return module.exports;
}

Module._load = function (request, parent, isMain) {
  const key = parent ? `${parent.path}\0${request}` : undefined;
  if (key !== undefined && resolvedPaths[key] !== undefined) {
    const module = cached()[resolvedPaths[key]];
    if (module !== undefined) return again(module, parent);
    delete resolvedPaths[key];
  }
  if (runtimeParts.moduleHooks !== undefined) return loadHooked(request, parent, isMain, key);
  if (StringStartsWith(request, 'node:')) {
    if (builtins.isBuiltin(request)) return builtins.load(request);
    throw lookup.unknownBuiltin(request);
  }
  const isFound = isMain && request === entry && Module._resolveFilename === ownResolve; // possibly a symbolic link that is preserved
  const filename = isFound ? request : Module._resolveFilename(request, parent, isMain);
  const known = cached()[filename];
  if (known !== undefined) return again(known, parent);
  if (builtins.isBuiltin(filename)) return builtins.load(filename);
  if (key !== undefined) resolvedPaths[key] = filename;
  const module = new Module(filename, parent);
  if (isMain) beMain(module);
  return loadFresh(module, filename);
};

/** As `_load`, with module loader hooks. */
function loadHooked(request, parent, isMain, key) {
  const hooks = runtimeParts.moduleHooks;
  const [filename, url, format] = intact(hooks.resolveRequired(Module, request, parent, isMain));
  const known = cached()[filename];
  if (known !== undefined) return again(known, parent);
  const replacement = builtins.isBuiltin(filename) ? hooks.inPlaceOfBuiltin(url, parent) : undefined;
  if (replacement === undefined && builtins.isBuiltin(filename)) return builtins.load(url);
  if (key !== undefined) resolvedPaths[key] = filename;
  const module = new Module(filename, parent);
  if (isMain) beMain(module);
  hooks.follow(module, parent);
  return loadFresh(
    module,
    filename,
    () => hooks.loadRequired(module, filename, url, format, replacement) || module.load(filename),
  );
}

function beMain(module) {
  mainModule = module;
  module.id = '.';
  module.parent = null;
}

const running = []; // the modules that are being loaded, the innermost last
const finished = new WeakMap(); // modules, in a program that sees Node only -> their exports when they had run

function loadFresh(module, filename, load = () => module.load(filename)) {
  if (startValues.follows !== '') native.modules_follow(RegExpReplace(/\?[^/]*$/, filename, ''));
  cached()[filename] = module;
  let hasFailed = true;
  ArrayPush(running, module);
  try {
    load();
    hasFailed = false;
    if (startValues.programName === 'node') WeakMapSet(finished, module, module.exports);
  } finally {
    ArrayPop(running);
    if (hasFailed) {
      delete cached()[filename];
      const siblings = module.parent?.children;
      const place = ArrayIsArray(siblings) ? ArrayIndexOf(siblings, module) : -1;
      if (place >= 0) ArraySplice(siblings, place, 1);
    }
  }
  return module.exports;
}

let loading = ''; // the name of the module being loaded: its filename, and its query if it has one

function loadInto(module, name) {
  module.filename = RegExpReplace(/\?[^/]*$/, name, '');
  module.path = folderOf(module.filename);
  module.paths = lookup.pathsFor(module.path);
  loading = name;
  Module._extensions[extensionOf(Module._extensions, module.filename)](module, module.filename);
  module.loaded = true;
}

Module._extensions = makeExtensions((module, filename) => {
  const name = StringStartsWith(loading, `${filename}?`) ? loading : filename;
  module.filename ??= filename;
  loadStandard(module, name, module._compile === ownCompile && isUsuallyWrapped(), (run, query) => {
    const args = [module.exports, makeRequire(module), module, module.filename, module.path];
    if (query !== undefined)
      ArrayPush(
        args,
        require('node/module/import_meta').fill({ __proto__: null }, module.filename, query, module === mainModule),
      );
    if (runtimeParts.callFirst === undefined) ReflectApply(run, module.exports, args);
    else runtimeParts.callFirst(run, module.exports, args);
  });
});
ObjectAssign(
  Module,
  lookup.statics(() => added(Module._extensions)),
);
const ownResolve = Module._resolveFilename;
Module._cache = cache;
const shownCache = showModules(cache, (name, exports) =>
  ObjectAssign(new Module(name), { exports, filename: name, loaded: true }),
);

/** The modules by their file names: ours, unless a program has replaced `Module._cache`. */
const cached = () => (Module._cache === shownCache ? cache : Module._cache);
Module._pathCache = ObjectCreate(null);

function makeRequire(module) {
  const require = function require(path) {
    return module.require(path);
  };
  require.resolve = lookup.makeResolve(Module, module);
  ObjectDefineProperty(require, 'main', {
    __proto__: null,
    get: () => mainModule,
    set(value) {
      ObjectDefineProperty(require, 'main', { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: true,
    configurable: true,
  });
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

const urls = new WeakMap(); // modules of createRequire -> their URL, if it has a query or a fragment

/**
 * require() for a file that may be an ES module, which hooks know by its `url`; used by `createRequire` and `import.meta.require`.
 * `id` is that of the module, if not the filename.
 */
function createRequire(filename, url = undefined, id = undefined) {
  const hasQuery = url !== undefined && RegExpTest(/[?#]/, url);
  const known = hasQuery ? undefined : cache[filename];
  const module = known === undefined || runtimeParts.moduleHooks?.isBehind(known) ? new Module(filename) : known;
  if (hasQuery) WeakMapSet(urls, module, url);
  if (id !== undefined) module.id = id;
  module.filename ??= filename;
  module.paths ??= lookup.pathsFor(module.path);
  return makeRequire(module);
}

/** Runs the CommonJS file `filename` as the program's main module. */
function runMain(filename) {
  entry = filename;
  if (runtimeParts.timeLoad === undefined) Module._load(filename, null, true);
  else runtimeParts.timeLoad(filename, undefined, () => Module._load(filename, null, true));
}

/** Runs evaluated code as a script in the global scope, with the variables of CommonJS. */
/** Evaluates code with a native function; a debugger may want the first statement to pause. */
function evaluate(run, code, filename) {
  return runtimeParts.callFirst === undefined ? run(code, filename) : runtimeParts.callFirst(run, undefined, [code, filename]);
}

function runScript(code, filename) {
  const module = moduleFor(filename, true);
  const names = { exports: module.exports, module, __filename: filename, __dirname: module.path, require: makeRequire(module) };
  for (const name of intact(ObjectKeys(names))) {
    ObjectDefineProperty(globalThis, name, {
      __proto__: null,
      value: names[name],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  if (startValues.programName !== 'node') {
    evaluate(native.modules_evaluateWrapped, code, filename);
    return;
  }
  const failure = evaluate(native.modules_evaluateMain, code, filename);
  if (!failure) return;
  const { 0: value, 1: file, 2: line, 3: column } = failure;
  runtimeParts.noteThrow(value, file, line, column);
  throw value;
}

/** `Module.runMain`: runs the program's main file, or the one that a preload has put into `process.argv[1]`. */
Module.runMain = function (main = runtimeParts.process.process.argv[1]) {
  native.modules_runMain(main === startValues.mainArgument ? startValues.mainFile : require('node/path/path').resolve(`${main}`));
};
const ownRunMain = Module.runMain;

/** Runs the main module through a preload's replacement of `runMain`, if there is one; returns whether it did. */
function runsOwnMain(filename) {
  if (Module.runMain === ownRunMain) return false;
  Module.runMain(filename);
  return true;
}

/** Whether the program's own hook handles a main file, whatever its text: Node decides by name and package alone. */
function isHookedMain(filename) {
  const isUsual = Module.prototype._compile === ownCompile && isStandard(Module._extensions, filename);
  if (isUsual || runtimeParts.moduleHooks !== undefined) return false;
  return !StringStartsWith(require('node/module/formats').compileFormatOf(filename) ?? '', 'module');
}

/** The exports of a CommonJS file for an importing ES module; runs it if it has not run yet. */
function loadForImport(filename) {
  const known = cache[filename];
  if (known !== undefined) return known.exports;
  const module = new Module(filename, isPreloading && startValues.programName === 'node' ? preloader() : undefined);
  runtimeParts.moduleHooks?.follow(module);
  return loadFresh(module, filename);
}

let preloadParent;

/** The parent of preloaded modules in Node. */
function preloader() {
  if (preloadParent === undefined) {
    preloadParent = new Module('internal/preload', null);
    try {
      preloadParent.paths = lookup.pathsFor(runtimeParts.process.process.cwd());
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'ENOENT') throw error; // the working directory has been deleted
    }
  }
  return preloadParent;
}

/**
 * The exports of a CommonJS file for an import in a program that sees Node only: [names, object to read them from]. The file
 * runs when they are read, unless it has run: then they are what it exported at its end.
 */
function runForImport(filename, names) {
  return laterView(names, () => {
    const known = cache[filename];
    return known !== undefined && WeakMapHas(finished, known) ? WeakMapGet(finished, known) : loadForImport(filename);
  });
}

/** For an ES module that is (or claims to be) the main module: the object for `require.main` and `module`. */
function moduleFor(filename, isMain) {
  const module = new Module(filename);
  module.filename = filename;
  module.paths = lookup.pathsFor(module.path);
  if (isMain) beMain(module);
  return module;
}

ObjectDefineProperty(Module, 'wrap', {
  __proto__: null,
  get: () => wrap,
  set(value) {
    wrap = value;
  },
  enumerable: false,
  configurable: true,
});
ObjectDefineProperty(Module, 'wrapper', {
  __proto__: null,
  get: () => wrapper,
  set(value) {
    [wrapper[0], wrapper[1]] = intact([value[0], value[1]]);
  },
  enumerable: false,
  configurable: true,
});
Module.isBuiltin = builtins.isBuiltin;
Module.Module = Module;
defineLazily(Module, 'globalPaths', () => [...intact(lookup.globalFolders())]);

module.exports = {
  Module,
  makeRequire,
  createRequire,
  runMain,
  runScript,
  runsOwnMain,
  isHookedMain,
  loadForImport,
  runForImport,
  importView,
  readForImport,
  moduleFor,
  cache,
  cached,
  /** Shows the program the modules that it has imported as well. */
  showImported() {
    Module._cache = shownCache;
  },
  main: () => mainModule,
  /** The URL that `createRequire` was given for `module`, if the filename does not imply it. */
  urlOf: (module) => (module === undefined || module === null ? undefined : WeakMapGet(urls, module)),
  running,
  /** `process.mainModule`; `given` contains the value to assign, if any. */
  shownMain(given) {
    if (given.length > 0) shownMain = given;
    return shownMain === undefined ? mainModule : shownMain[0];
  },
  setPreloading(value) {
    isPreloading = value;
  },
};
