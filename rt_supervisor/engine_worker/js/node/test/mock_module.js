'use strict';
// Owns: `mock.module`: replacements for imported and required modules. Module loader hooks redirect to the mock's own URL,
// whose source takes its exports from here. CommonJS modules that were already loaded are set aside meanwhile.

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
  StringEndsWith,
  StringSlice,
  StringSplit,
  StringStartsWith,
  SymbolFor,
  setOwn,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const startValues = require('internal/start_values');
const { validateBoolean, validateObject } = require('internal/validators');

const SCHEME = 'rt-mock:';
const TABLE = 'rt.module-mocks'; // the symbol under which the sources of mocks find theirs
const byUrl = new Map(); // the original's URL -> Mock
const byId = new Map();
let hooks;
let ids = 0;
let isAsking = false; // the original's URL is being resolved
const warned = new Set();

function warnOnce(message, name) {
  if (SetHas(warned, message)) return;
  SetAdd(warned, message);
  host.emitWarning(message, name);
}

/** The validated options: `{ cache, named, hasDefault, fallback }`. */
function checkOptions(options) {
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

/** The URL that `specifier` resolves to when imported by the file `importer`. */
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
    return require('node/module/commonjs').cached();
  }

  /** Removes the loaded module from `require.cache` until the mock is restored. */
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

  /** The result of `require`. */
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

  /** The named exports for `import`. */
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

  /** Only the names: exports that cannot be used throw later, on evaluation of the module. */
  namespaceNames() {
    if (!this.isOfScripts) return this.hasDefault ? { ...this.named, default: true } : this.named;
    return { ...this.named, default: true, 'module.exports': true };
  }
}

/** Under the identity of Node, an import of JSON needs its attribute, also of a mock. */
function requireAttribute(url, attributes) {
  if (startValues.programName === 'node' && StringEndsWith(url, '.json') && attributes?.type !== 'json')
    throw new codes.ERR_IMPORT_ATTRIBUTE_MISSING(url, 'type', 'json');
}

const HOOKS = {
  resolve(specifier, context, nextResolve) {
    const resolution = nextResolve(specifier, context);
    const mock = isAsking ? undefined : MapGet(byUrl, resolution.url);
    if (mock === undefined) return resolution;
    const kind = ArrayIncludes(context.conditions, 'require') ? 'commonjs' : 'module';
    if (kind === 'module') requireAttribute(resolution.url, context.importAttributes);
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

/** Mocks `specifier` as resolved from the file `importer`. */
function mockModule(specifier, options, importer) {
  if (typeof specifier !== 'string' && !(specifier instanceof require('web/url/class').URL)) {
    throw new codes.ERR_INVALID_ARG_TYPE('specifier', ['string', 'URL'], specifier);
  }
  const settings = checkOptions(options);
  warnOnce('Module mocking is an experimental feature and might change at any time', 'ExperimentalWarning');
  start();
  const original = originalOf(`${specifier}`, importer);
  if (MapHas(byUrl, original)) throw new codes.ERR_INVALID_STATE(`Cannot mock '${specifier}'. The module is already mocked.`);
  const mock = new Mock(original, settings);
  MapSet(byUrl, original, mock);
  MapSet(byId, mock.id, mock);
  return new MockModuleContext(mock);
}

module.exports = { mockModule };
