'use strict';
// Owns: `mock.module`: modules that import and require give in the place of others. Hooks of the module loader lead to a mock's own
// URL; its source takes the exports from here. What CommonJS had loaded is put aside meanwhile.

const {
  ArrayForEach,
  ArrayIncludes,
  ArrayJoin,
  ArrayMap,
  JSONStringify,
  MapDelete,
  MapGet,
  MapHas,
  MapSet,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectKeys,
  SetAdd,
  SetHas,
  StringSlice,
  StringSplit,
  StringStartsWith,
  SymbolFor,
  setOwn,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateObject } = require('internal/validators');

const SCHEME = 'rt-mock:';
const TABLE = 'rt.module-mocks'; // the symbol under which sources of mocks find theirs
const byUrl = new Map(); // the URL of the original -> Mock
const byId = new Map();
let hooks;
let ids = 0;
let isAsking = false; // the original's URL is being looked up
const warned = new Set();

function warnOnce(message, name) {
  if (SetHas(warned, message)) return;
  SetAdd(warned, message);
  host.emitWarning(message, name);
}

/** What the options say: `{ cache, named, hasDefault, fallback }`. */
function checked(options) {
  validateObject(options, 'options');
  const { cache = false, namedExports, exports } = options;
  validateBoolean(cache, 'options.cache');
  if (exports !== undefined) {
    validateObject(exports, 'options.exports');
    ArrayForEach(['namedExports', 'defaultExport'], (name) => {
      if (name in options)
        throw new codes.ERR_INVALID_ARG_VALUE('options.exports', exports, `cannot be used with 'options.${name}'`);
    });
    const { default: fallback, ...named } = exports;
    return { cache, named, hasDefault: 'default' in exports, fallback };
  }
  if (namedExports !== undefined) {
    validateObject(namedExports, 'options.namedExports');
    warnOnce('mock.module(): options.namedExports is deprecated. Use options.exports instead.', 'DeprecationWarning');
  }
  const hasDefault = 'defaultExport' in options;
  if (hasDefault) {
    warnOnce('mock.module(): options.defaultExport is deprecated. Use options.exports.default instead.', 'DeprecationWarning');
  }
  return { cache, named: { ...namedExports }, hasDefault, fallback: options.defaultExport };
}

/** The URL that an import of `specifier` in the file `importer` leads to. */
function originalOf(specifier, importer) {
  if (require('node/module/builtins').isBuiltin(specifier)) {
    return StringStartsWith(specifier, 'node:') ? specifier : `node:${specifier}`;
  }
  isAsking = true;
  try {
    return require('node/module/hooks').resolveImported(specifier, importer ?? `${host.cwd()}/`, {})[0];
  } finally {
    isAsking = false;
  }
}

/** Whether the file at `path` is CommonJS. */
function isScript(path) {
  const format = require('node/module/hooks').formatOf(path);
  if (format !== undefined) return format === 'commonjs';
  try {
    return !host.native.modules_isModuleText(path, require('node/fs/fs').readFileSync(path, 'utf8'), 'js');
  } catch {
    return false;
  }
}

class Mock {
  #number = 0;

  constructor(original, { cache, named, hasDefault, fallback }) {
    ObjectAssign(this, { original, cache, named, hasDefault, fallback, id: `${++ids}`, aside: undefined, isOfScripts: false });
    if (StringStartsWith(original, 'node:')) this.isOfScripts = true;
    else this.#putAside();
  }

  get #modules() {
    return require('node/module/commonjs').Module._cache;
  }

  /** Take what `require` has loaded out of its cache until the mock is over. */
  #putAside() {
    if (!StringStartsWith(this.original, 'file:')) return;
    this.path = require('internal/file_url_host').fileURLToPath(this.original);
    this.aside = this.#modules[this.path];
    delete this.#modules[this.path];
    this.isOfScripts = isScript(this.path);
  }

  putBack() {
    const modules = this.#modules;
    const own = `${SCHEME}${this.id}:`;
    ArrayForEach(ObjectKeys(modules), (name) => {
      if (StringStartsWith(name, own)) delete modules[name];
    });
    if (this.aside !== undefined) modules[this.path] = this.aside;
  }

  url(kind) {
    return `${SCHEME}${this.id}:${kind}${this.cache ? '' : `:${++this.#number}`}`;
  }

  /** What `require` gives. */
  exports() {
    const names = ObjectKeys(this.named);
    const exports = this.hasDefault ? this.fallback : {};
    if (names.length === 0) return exports;
    if (exports === null || (typeof exports !== 'object' && typeof exports !== 'function')) {
      throw new Error('Cannot create mock because named exports cannot be applied to the provided default export.');
    }
    ArrayForEach(names, (name) => setOwn(exports, name, this.named[name]));
    return exports;
  }

  /** What `import` gives, by names. */
  namespace() {
    if (!this.isOfScripts) return this.hasDefault ? { ...this.named, default: this.fallback } : this.named;
    const exports = this.exports();
    return { ...this.named, default: exports, 'module.exports': exports };
  }

  source(kind) {
    const mine = `globalThis[Symbol.for(${JSONStringify(TABLE)})](${JSONStringify(this.id)})`;
    if (kind === 'commonjs') {
      return `module.exports = ${mine}.exports();${this.cache ? '' : ' delete require.cache[__filename];'}`;
    }
    const names = ObjectKeys(this.namespaceNames());
    const exported = ArrayMap(
      names,
      (name, place) => `const v${place} = values[${JSONStringify(name)}]; export { v${place} as ${JSONStringify(name)} };`,
    );
    return `const values = ${mine}.namespace();\n${ArrayJoin(exported, '\n')}\nexport {};`;
  }

  /** The names alone: exports that cannot be used throw later, when the module is evaluated. */
  namespaceNames() {
    if (!this.isOfScripts) return this.hasDefault ? { ...this.named, default: true } : this.named;
    return { ...this.named, default: true, 'module.exports': true };
  }
}

const HOOKS = {
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    const mock = isAsking ? undefined : MapGet(byUrl, found.url);
    if (mock === undefined) return found;
    const kind = ArrayIncludes(context.conditions, 'require') ? 'commonjs' : 'module';
    return { __proto__: null, url: mock.url(kind), format: kind, shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!StringStartsWith(url, SCHEME)) return nextLoad(url, context);
    const { 0: id, 1: kind } = StringSplit(StringSlice(url, SCHEME.length), ':');
    return { __proto__: null, format: kind, source: MapGet(byId, id).source(kind), shortCircuit: true };
  },
};

function start() {
  if (hooks !== undefined) return;
  hooks = require('node/module/hooks').registerHooks(HOOKS);
  ObjectDefineProperty(globalThis, SymbolFor(TABLE), { __proto__: null, configurable: true, value: (id) => MapGet(byId, id) });
}

class MockModuleContext {
  #mock;

  constructor(mock) {
    this.#mock = mock;
  }

  restore() {
    const mock = this.#mock;
    if (mock === undefined) return;
    this.#mock = undefined;
    MapDelete(byUrl, mock.original);
    mock.putBack();
  }
}

/** `specifier` as the file `importer` would write it. */
function mockModule(specifier, options, importer) {
  if (typeof specifier !== 'string' && !(specifier instanceof require('web/url/class').URL)) {
    throw new codes.ERR_INVALID_ARG_TYPE('specifier', ['string', 'URL'], specifier);
  }
  const wanted = checked(options);
  warnOnce('Module mocking is an experimental feature and might change at any time', 'ExperimentalWarning');
  start();
  const original = originalOf(`${specifier}`, importer);
  if (MapHas(byUrl, original)) throw new codes.ERR_INVALID_STATE(`Cannot mock '${specifier}'. The module is already mocked.`);
  const mock = new Mock(original, wanted);
  MapSet(byUrl, original, mock);
  MapSet(byId, mock.id, mock);
  return new MockModuleContext(mock);
}

module.exports = { mockModule };
