'use strict';
// Owns: module loader hooks: `module.registerHooks` and `module.register`. The hook registered last is called first and calls
// the next by `nextResolve` or `nextLoad` (module/hook_chains.js); the last one is rt's own. `runtimeParts.moduleHooks` is this
// file while there are hooks.

const { AnyIncludes, AnySlice } = require('internal/any_kind');
const {
  ArrayBufferIsView,
  ArrayEvery,
  ArrayFilter,
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayPush,
  ArraySplice,
  JSONParse,
  JSONStringify,
  ObjectAssign,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringEndsWith,
  StringSlice,
  StringStartsWith,
  WeakSetAdd,
  WeakSetHas,
  intact,
} = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const native = host.native;
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const startValues = require('internal/start_values');
const builtins = require('node/module/builtins');
const { formatOf } = require('node/module/formats');
const { chain, waitFor, wrongSource } = require('node/module/hook_chains');
const { pathToHref } = require('internal/file_url');
const { fileURLToPath } = require('internal/file_url_host');

const CONDITIONS = {
  require: ['require', 'node', 'node-addons', 'module-sync'],
  import: ['node', 'import', 'module-sync', 'node-addons'],
};
const LOADABLE = ['commonjs', 'commonjs-typescript', 'json', 'module', 'module-typescript', 'text', 'wasm'];
const entries = []; // ModuleHooks, in order of registration
let isLoadingHooks = false; // a module of `register` is being loaded, in Node on the thread of its hooks

/** The hooks that are called: those of `registerHooks` do not see how modules of `register` are loaded. */
const called = () => (isLoadingHooks ? ArrayFilter(entries, (each) => each.isAsync) : entries);

class ModuleHooks {
  constructor(resolve, load) {
    this.resolve = resolve;
    this.load = load;
  }

  deregister() {
    const place = ArrayIndexOf(entries, this);
    if (place >= 0) ArraySplice(entries, place, 1);
    updateLoaders();
  }
}

/** Updates the loaders: without hooks they do not call this module. */
function updateLoaders() {
  runtimeParts.moduleHooks = entries.length > 0 ? module.exports : undefined;
  native.modules_setHooked(entries.length > 0);
}

function add(hooks) {
  ArrayPush(entries, hooks);
  updateLoaders();
  return hooks;
}

function registerHooks(hooks) {
  const { resolve, load } = hooks;
  if (resolve) validateFunction(resolve, 'hooks.resolve');
  if (load) validateFunction(load, 'hooks.load');
  return add(new ModuleHooks(resolve, load));
}

/** The URL of a path for hooks; code without a file has the name that Node gives it. */
function urlOf(place) {
  if (place === undefined || !StringStartsWith(place, '/')) return place;
  const url = pathToHref(place);
  return StringEndsWith(place, '/[eval]') ? `${StringSlice(url, 0, -'%5Beval%5D'.length)}[eval1]` : url;
}
const pathOf = (url) => (StringStartsWith(url, 'file:') ? fileURLToPath(url) + (RegExpExec(/\?[^#]*/, url)?.[0] ?? '') : url);

/** The conditions that hooks added to the default ones; undefined if there are none. */
function furtherConditions(conditions, kind) {
  if (conditions === undefined) return undefined;
  if (!ArrayIsArray(conditions)) throw new codes.ERR_INVALID_ARG_VALUE('context.conditions', conditions, 'expected an array');
  const further = ArrayFilter(conditions, (each) => !AnyIncludes(CONDITIONS[kind], each));
  return further.length > 0 ? further : undefined;
}

/** Resolves `specifier` to { url, format }. `find(specifier, conditions)` returns a path, or a builtin's name. */
function resolve(specifier, importer, attributes, kind, find, terms = undefined, parentURL = urlOf(importer)) {
  const context = { parentURL, importAttributes: attributes, conditions: [...intact(CONDITIONS[kind])] };
  const last = (wanted, given) => {
    const found = find(wanted, furtherConditions(given.conditions, kind));
    if (builtins.isBuiltin(found)) {
      const url = StringStartsWith(found, 'node:') ? found : `node:${found}`;
      return kind === 'require' && StringStartsWith(wanted, 'node:') ? { url, format: 'builtin' } : { url };
    }
    if (kind === 'require') return { url: urlOf(found) };
    return { url: found, format: (StringStartsWith(found, 'file:') ? formatOf(fileURLToPath(found)) : undefined) ?? null };
  };
  return chain(called(), 'resolve', specifier, context, last, terms);
}

/** The format of a file, detected from its source. */
function detectFormat(path, source) {
  const isTypeScript = RegExpTest(/\.[cm]?tsx?$/, path);
  let isModule = true; // also for invalid code: the loader reports the error
  try {
    isModule = native.modules_isModuleText(path, textOf(source), isTypeScript ? 'ts' : 'js');
  } catch {}
  return `${isModule ? 'module' : 'commonjs'}${isTypeScript ? '-typescript' : ''}`;
}

/** { format, source } of a `data:` URL. */
function ofDataUrl(url) {
  const { 1: type, 2: isBase64, 3: body } = RegExpExec(/^data:([^,;]*)(?:;(?!base64,)[^,;]*)*(;base64)?,([^]*)$/, url) ?? [];
  const format = { 'text/javascript': 'module', 'application/json': 'json', 'application/wasm': 'wasm' }[type] ?? 'text';
  const { Buffer } = require('node/buffer/buffer');
  return { format, source: Buffer.from(decodeURIComponent(body), isBase64 === undefined ? 'utf8' : 'base64') };
}

/** Whether hooks chose another format for a script than Node's rules, which rt's loader follows, give it. */
function isOtherFormat(url, { format, source }) {
  if ((format !== 'module' && format !== 'commonjs') || !StringStartsWith(url, 'file:')) return false;
  const path = fileURLToPath(url);
  return (formatOf(path) ?? detectFormat(path, source)) !== format;
}

/** Loads `url`: { format, source, isUsual }; `isUsual` if no hook has changed anything. */
function load(url, format, attributes, kind, terms = undefined) {
  if (startValues.follows !== '' && StringStartsWith(url, 'file:')) native.modules_follow(fileURLToPath(url));
  const context = { format, importAttributes: attributes, conditions: CONDITIONS[kind] };
  let usual;
  const last = (wanted, given) => {
    if (StringStartsWith(wanted, 'node:'))
      return kind === 'require' ? { source: null, format: 'builtin' } : { format: 'builtin', responseURL: wanted, source: null };
    if (StringStartsWith(wanted, 'data:')) {
      const answer = ofDataUrl(wanted);
      if (wanted === url) usual = answer;
      return { ...answer, responseURL: wanted };
    }
    if (!StringStartsWith(wanted, 'file:')) {
      const message = `Only URLs with a scheme in: file, data, and node are supported by the default ESM loader. Received protocol '${RegExpExec(/^[^:]*:?/, wanted)[0]}'`;
      throw ObjectAssign(new Error(message), { code: 'ERR_UNSUPPORTED_ESM_URL_SCHEME' });
    }
    const path = fileURLToPath(wanted);
    const knownFormat = given.format ?? formatOf(path);
    const isAsync = 'importAssertions' in given;
    if (isAsync && knownFormat === 'commonjs') return { format: knownFormat, responseURL: wanted, source: undefined };
    const source = require('node/fs/fs').readFileSync(path, kind === 'require' ? 'utf8' : undefined);
    const isLeft = kind === 'require' && !isAsync; // left to `require`, which detects it
    const format = knownFormat ?? (isLeft ? undefined : detectFormat(path, source));
    if (wanted === url) usual = { source, format };
    if (isLeft) return { source, format };
    return { format, responseURL: wanted, source: isAsync && format === 'commonjs' ? null : source };
  };
  const result = chain(called(), 'load', url, context, last, terms);
  const isOther = kind === 'import' && startValues.programName === 'node' && isOtherFormat(url, result);
  const isUnread = result.format === 'commonjs' && (result.source ?? null) === null; // left to `require`
  const isUsual =
    isUnread ||
    (usual !== undefined &&
      !isOther &&
      result.source === usual.source &&
      (result.format === usual.format || (usual.format ?? undefined) === undefined));
  return { format: result.format, source: result.source, isUsual };
}

const textOf = (source) => {
  if (typeof source === 'string') return source;
  if (ArrayBufferIsView(source)) return require('node/buffer/views').asBuffer(source).toString();
  return require('node/buffer/buffer')
    .Buffer.from(source ?? '')
    .toString();
};

// --- require

const behind = new WeakSet(); // CommonJS with a source from hooks, and what it requires: their require() calls the hooks of `register`

/** Records that `module` is about to be loaded, for `parent`. */
function follow(module, parent) {
  if (parent && WeakSetHas(behind, parent)) WeakSetAdd(behind, module);
}

const termsFor = (module) => ({ isRequire: true, isSync: !WeakSetHas(behind, module) });

/** As `Module._resolveFilename`, through the hooks: [filename or name of a builtin, url, format]. */
function resolveRequired(Module, request, parent, isMain, options = undefined) {
  const importer = typeof parent?.filename === 'string' ? parent.filename : undefined;
  const required = request;
  const areAllAsync = ArrayEvery(entries, ({ isAsync }) => isAsync); // their answers are URLs
  const find = (given, conditions) => {
    const wanted = areAllAsync && given !== required ? pathOf(given) : given;
    const lookupOptions = conditions === undefined ? options : { ...options, conditions };
    return lookupOptions === undefined
      ? Module._resolveFilename(wanted, parent, isMain)
      : Module._resolveFilename(wanted, parent, isMain, lookupOptions);
  };
  const parentUrl = require('node/module/commonjs').urlOf(parent);
  if (areAllAsync && WeakSetHas(behind, parent) && options === undefined && !builtins.isBuiltin(request)) {
    // As in Node, hooks of `register` receive the URL of what `require` has found.
    const found = Module._resolveFilename(request, parent, isMain);
    if (!builtins.isBuiltin(found)) request = pathToHref(found);
  }
  const { url, format } = resolve(
    request,
    importer,
    undefined,
    'require',
    find,
    isMain ? undefined : termsFor(parent),
    parentUrl,
  );
  if (!StringStartsWith(url, 'node:') || !builtins.isBuiltin(url)) return [pathOf(url), url, format];
  const name = AnySlice(url, 'node:'.length);
  return [StringStartsWith(request, 'node:') || !builtins.isBuiltin(name) ? url : name, url, format];
}

/** The hooks' replacement of a builtin, for `loadRequired`; undefined if it is not replaced. */
function inPlaceOfBuiltin(url, parent) {
  const loaded = load(url, 'builtin', undefined, 'require', termsFor(parent));
  return (loaded.format ?? 'builtin') === 'builtin' ? undefined : loaded;
}

/**
 * Loads `module` from the hooks' result (`given` if there is one already); returns false if rt would load the same by itself.
 */
function loadRequired(module, filename, url, format, given = undefined) {
  const known = format ?? formatOf(RegExpReplace(/\?.*$/, filename, ''));
  const terms = module.id === '.' ? { isRequire: true, isSync: false } : termsFor(module); // all hooks run for the main module
  const { format: loaded, source, isUsual } = given ?? load(url, known, undefined, 'require', terms);
  if (isUsual) return false;
  if (!terms.isSync) WeakSetAdd(behind, module);
  const text = textOf(source);
  const script = RegExpTest(/typescript$|\.[cm]?tsx?$/, loaded ?? filename) ? 'ts' : 'js';
  module.filename = filename;
  module.paths = require('node/module/lookup').pathsFor(module.path);
  if (loaded === 'json') module.exports = JSONParse(text);
  else if (
    (loaded == null ? undefined : StringStartsWith(loaded, 'module')) ||
    ((loaded ?? null) === null && native.modules_isModuleText(filename, text, script))
  ) {
    const { esModuleExports } = require('node/module/exports_view');
    module.exports = esModuleExports(native.modules_requireSource(filename, text, script));
  } else module._compile(native.modules_transpiledText(filename, text, script), filename);
  module.loaded = true;
  return true;
}

// --- import: what Python asks

/** Whether `name` is a URL that only hooks can resolve, or `data:`. */
const isForeign = (name) => RegExpTest(/^(?!file:|node:)[a-z][a-z\d+.-]+:/i, name) && !builtins.isBuiltin(name);

/** Resolves an import: [url, format, path, attributes set by a hook]. */
function resolveImported(specifier, importer, attributes) {
  if (!importer && StringStartsWith(specifier, '/')) specifier = pathToHref(specifier); // the entry point: Node passes its URL to hooks
  const found = resolve(specifier, importer || undefined, { ...attributes }, 'import', (wanted, conditions) => {
    if (StringStartsWith(wanted, 'data:')) return wanted;
    if (isForeign(importer) && RegExpTest(/^(?:\.{0,2}\/|\.{1,2}$)/, wanted))
      return new (require('web/url/class').URL)(wanted, importer).href;
    const from = StringStartsWith(importer, '/') ? importer : `${host.cwd()}/`;
    const [kind, path, query] = intact(native.modules_resolve(wanted, from, false, conditions));
    if (kind === 'builtin') return `node:${path}`;
    if (kind === 'failure' && isForeign(wanted)) return wanted; // not a tsconfig.json path that looks like a URL
    if (kind === 'failure') native.modules_failImport(wanted, from, conditions);
    return pathToHref(path) + query;
  });
  const { url, format, importAttributes } = found;
  return [url, format ?? '', pathOf(url), importAttributes];
}

/** [kind, text]: 'builtin', 'usual', or the format of the text. */
function loadImported(url, format, attributes) {
  const known = StringStartsWith(url, 'node:') ? undefined : format || (StringStartsWith(url, 'file:') ? null : undefined);
  const loaded = load(url, known, { ...attributes }, 'import');
  const { format: kind, source } = loaded;
  if (kind === 'builtin') return ['builtin', ''];
  if (loaded.isUsual) return ['usual', ''];
  if (kind !== undefined && kind !== null && !ArrayIncludes(LOADABLE, kind)) {
    throw ObjectAssign(new RangeError(`Unknown module format: ${kind} for URL ${url}`), { code: 'ERR_UNKNOWN_MODULE_FORMAT' });
  }
  if (source === undefined || source === null) throw wrongSource(source);
  return [
    kind ?? 'module',
    kind === 'wasm' ? require('node/buffer/buffer').Buffer.from(source).toString('base64') : textOf(source),
  ];
}

/** The exports of a CommonJS source that a hook returned for `filename`, as seen by an import. */
function importedCommonJs(filename, text, loader) {
  const { Module, cached } = require('node/module/commonjs');
  const known = cached()[filename];
  const module = known ?? new Module(filename);
  if (known === undefined) {
    module.filename = filename;
    module.paths = require('node/module/lookup').pathsFor(module.path);
    cached()[filename] = module;
    WeakSetAdd(behind, module);
    module._compile(native.modules_transpiledText(filename, text, loader), filename);
    module.loaded = true;
  }
  return require('node/module/exports_view').importView(module.exports);
}

// --- module.register

let hasWarned = false;
let hasWarnedOfPreload = false;

/** Registers the hooks that a module exports. They run in the program's thread; imports wait for them. */
function register(specifier, parentURL = undefined, options = undefined) {
  if (parentURL !== null && typeof parentURL === 'object' && !(parentURL instanceof require('web/url/class').URL))
    [options, parentURL] = intact([parentURL, parentURL.parentURL]);
  if (!hasWarned) {
    hasWarned = true;
    host.emitWarning('`module.register()` is deprecated. Use `module.registerHooks()` instead.', 'DeprecationWarning', 'DEP0205');
  }
  if (arguments.length === 0) throw new codes.ERR_INVALID_ARG_TYPE('specifier', 'string', specifier);
  const name = `${specifier?.href ?? specifier}`;
  if (options !== undefined) validateObject(options, 'options');
  const base = `${parentURL?.href ?? parentURL ?? 'data:'}`;
  validateString(base, 'parentURL');
  addModule(name, StringStartsWith(base, 'file:') ? fileURLToPath(base) : `${host.cwd()}/`, options?.data);
}

function importAlone(name, importer) {
  const before = isLoadingHooks;
  isLoadingHooks = true;
  try {
    return waitFor(native.modules_importNow(name, importer));
  } finally {
    isLoadingHooks = before;
  }
}

function addModule(name, importer, data) {
  runtimeParts.permission?.check('worker'); // in Node, hooks run in a worker
  const namespace = importAlone(name, importer);
  const hooks = new ModuleHooks(namespace.resolve, namespace.load);
  hooks.isAsync = true;
  hooks.name = name;
  const { initialize, globalPreload } = namespace;
  if (globalPreload !== undefined && initialize === undefined && !hasWarnedOfPreload) {
    hasWarnedOfPreload = true;
    host.emitWarning('`globalPreload` has been removed; use `initialize` instead.', 'UnsupportedWarning');
  }
  if (typeof initialize === 'function') waitFor(PromiseResolve(initialize(data)));
  add(hooks);
}

/** `--experimental-loader`: hooks installed before the program is loaded. */
function registerForCommand(name) {
  const code = `import { register } from "node:module"; import { pathToFileURL } from "node:url"; register(${JSONStringify(name)}, pathToFileURL("./"));`;
  host.emitWarning(
    `\`--experimental-loader\` may be removed in the future; instead use \`register()\`:\n--import 'data:text/javascript,${code}'`,
    'ExperimentalWarning',
  );
  addModule(name, `${host.cwd()}/`);
}

module.exports = {
  isBehind: (module) => WeakSetHas(behind, module),
  follow,
  formatOf,
  registerHooks,
  register,
  registerForCommand,
  resolveRequired,
  inPlaceOfBuiltin,
  loadRequired,
  resolveImported,
  loadImported,
  importedCommonJs,
};
