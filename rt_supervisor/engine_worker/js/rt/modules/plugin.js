'use strict';
// Owns: RT.plugin: module plugins with Bun's interface (`onResolve`, `onLoad`, `module`), implemented as one pair of hooks of
// the module loader, which is installed with the first plugin. A callback's result is cached by URL, so that `import` and
// `require` see the same module.

const { isArrayBuffer, isPromise, isRegExp } = require('internal/brands');
const { AnyCatch, AnyIncludes, AnyTest } = require('internal/any_kind');
const native = host.native;
const {
  ArrayBufferIsView,
  ArrayIncludes,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  JSONParse,
  JSONStringify,
  MapGet,
  MapHas,
  MapSet,
  ObjectDefineProperty,
  ObjectKeys,
  RegExpExec,
  RegExpTest,
  StringStartsWith,
  SymbolFor,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const { pathToHref } = require('internal/file_url');
const { fileURLToPath } = require('internal/file_url_host');

const TABLE = 'rt.plugins'; // the symbol under which generated sources find the values of plugins
const TARGETS = ['rt', 'bun', 'node', 'browser'];
const PARSERS = {
  __proto__: null,
  json: (text) => JSONParse(text),
  jsonc: (text) => require('rt/documents/documents').JSONC.parse(text),
  json5: (text) => require('rt/documents/documents').JSON5.parse(text),
  toml: (text) => require('rt/documents/documents').TOML.parse(text),
  yaml: (text) => require('rt/documents/documents').YAML.parse(text),
  xml: (text) => require('rt/documents/documents').XML.parse(text),
  md: (text) => require('rt/markdown/markdown').markdown.html(text),
};
const SCRIPTS = { __proto__: null, js: 'js', jsx: 'jsx', ts: 'ts', tsx: 'tsx' };
const OF_EXTENSIONS = { __proto__: null, mjs: 'js', cjs: 'js', mts: 'ts', cts: 'ts', yml: 'yaml', markdown: 'md' };

let resolvers = [];
let loaders = [];
let virtual = new Map(); // name -> callback
let hooks;
const places = new Map(); // url -> { name } of a virtual module, or { path, namespace }
const results = new Map(); // url -> { source, format } or { exports }

// --- called by plugins

function addCallback(list, who, { 0: constraints, 1: callback }) {
  if (callback === undefined) throw new Error(`${who}() requires at least 2 arguments`);
  const { filter, namespace } = constraints ?? {};
  if (!isRegExp(filter)) throw new Error(`${who}() expects first argument to be an object with a filter RegExp`);
  if (typeof callback !== 'function') throw new Error(`${who}() expects second argument to be a function`);
  if (typeof namespace === 'string' && !RegExpTest(/^[\w-]+$/, namespace)) {
    throw new Error('namespace can only contain letters, numbers, dashes, or underscores');
  }
  ArrayPush(list, { filter, namespace: typeof namespace === 'string' ? namespace : 'file', callback });
}

const builderFor = (target) => ({
  target,
  onLoad(...args) {
    addCallback(loaders, 'onLoad', args);
    begin();
    return this;
  },
  onResolve(...args) {
    addCallback(resolvers, 'onResolve', args);
    begin();
    return this;
  },
  module(name, callback) {
    if (arguments.length < 2) throw new Error('module() needs 2 arguments: a module ID and a function to call');
    if (typeof name !== 'string') throw new Error('module() expects first argument to be a string for the module ID');
    if (typeof callback !== 'function') throw new Error('module() expects second argument to be a function');
    if (name === '') throw new Error('virtual module cannot be blank');
    MapSet(virtual, name, callback);
    begin();
    return this;
  },
});

function begin() {
  hooks ??= require('node/module/hooks').registerHooks({ resolve, load });
}

function plugin(options) {
  if (arguments.length === 0) throw new TypeError('plugin needs at least one argument (an object)');
  if (typeof options !== 'object' || options === null) throw new TypeError('plugin needs an object as first argument');
  const { setup, target = 'bun' } = options;
  if (typeof setup !== 'function') throw new TypeError('plugin needs a setup() function');
  if (!ArrayIncludes(TARGETS, target)) throw new TypeError("plugin target must be one of 'node', 'bun' or 'browser'");
  const outcome = setup(builderFor(target));
  return isPromise(outcome) ? outcome : undefined;
}
plugin.clearAll = function clearAll() {
  resolvers = [];
  loaders = [];
  virtual = new Map();
  hooks?.deregister();
  hooks = undefined;
};

// --- called by the loader

/** Waits for a promise by running the event loop, and returns its result. */
function waitFor(value) {
  if (!isPromise(value)) return value;
  const { 0: state, 1: outcome } = native.modules_settle(value);
  if (state === 'fulfilled') return outcome;
  if (state === 'pending') throw new Error('A plugin returned a promise that is not settled while require() waits for it');
  AnyCatch(value, () => {});
  throw outcome;
}

/** Splits a specifier into namespace and name; the namespace defaults to `file`. */
function splitSpecifier(specifier) {
  const match = RegExpExec(/^([\w-]{2,}):(?!\/\/)(.*)$/s, specifier);
  if (match === null || ArrayIncludes(['node', 'data', 'file', 'http', 'https'], match[1]))
    return { namespace: 'file', path: specifier };
  return { namespace: match[1], path: match[2] };
}

/** Returns the result of the first callback that resolves the specifier: { path, namespace }. */
function resolveWithPlugins(specifier, importer) {
  const inside = splitSpecifier(specifier);
  for (const { filter, namespace, callback } of intact(resolvers)) {
    // A filter for the namespace `file` is tested against the whole specifier, even if that names another namespace.
    const path = namespace === inside.namespace ? inside.path : namespace === 'file' ? specifier : undefined;
    filter.lastIndex = 0;
    if (path === undefined || !AnyTest(filter, path)) continue;
    const answer = waitFor(callback({ path, importer }));
    if (answer === undefined || answer === null) continue;
    if (typeof answer !== 'object') throw new TypeError('onResolve() expects an object returned');
    if (typeof answer.path !== 'string' || answer.path === '') {
      throw new TypeError('onResolve plugins "path" field must be a string that is not blank');
    }
    const { namespace: chosen = 'file' } = answer;
    if (typeof chosen !== 'string') throw new TypeError('onResolve plugins "namespace" field must be a string');
    return { path: answer.path, namespace: chosen };
  }
  return undefined;
}

function resolve(specifier, context, next) {
  if (MapHas(virtual, specifier)) {
    const url = splitSpecifier(specifier).namespace === 'file' ? `virtual:${specifier}` : specifier;
    MapSet(places, url, { name: specifier });
    return { url, shortCircuit: true };
  }
  const { parentURL } = context;
  const importer = (parentURL == null ? undefined : StringStartsWith(parentURL, 'file:'))
    ? fileURLToPath(parentURL)
    : (parentURL ?? '');
  const answer = resolvers.length > 0 ? resolveWithPlugins(specifier, importer) : undefined;
  if (answer === undefined) return next();
  if (answer.namespace === 'file') {
    if (StringStartsWith(answer.path, '/')) return { url: pathToHref(answer.path), shortCircuit: true };
    return next(answer.path);
  }
  const url = `${answer.namespace}:${answer.path}`;
  MapSet(places, url, answer);
  return { url, shortCircuit: true };
}

function load(url, context, next) {
  const isRequire = AnyIncludes(context.conditions, 'require');
  const existing = MapGet(results, url);
  if (existing !== undefined) return answerOf(url, existing, isRequire);
  const place =
    MapGet(places, url) ?? (StringStartsWith(url, 'file:') ? { path: fileURLToPath(url), namespace: 'file' } : undefined);
  if (place?.name !== undefined) {
    const answer = waitFor(MapGet(virtual, place.name)?.());
    if (typeof answer !== 'object' || answer === null) throw new TypeError('virtual module expects an object returned');
    return loadCached(url, answer, place.name, isRequire);
  }
  for (const { filter, namespace, callback } of intact(loaders)) {
    filter.lastIndex = 0;
    if (place === undefined || namespace !== place.namespace || !AnyTest(filter, place.path)) continue;
    const { path } = place;
    if (startValues.follows !== '' && namespace !== 'file') native.modules_follow(path); // only an absolute path is a file
    const answer = waitFor(callback(namespace === 'file' ? { path, namespace, loader: loaderOf(path) } : { path, namespace }));
    if (typeof answer !== 'object' || answer === null) throw new TypeError('onLoad() expects an object returned');
    return loadCached(url, answer, path, isRequire);
  }
  if (place !== undefined && place.namespace !== 'file') {
    throw new Error(`No plugin loads "${place.path}" of the namespace "${place.namespace}"`);
  }
  return next();
}

/** Modules from files may be reloaded (`--hot`); others are loaded once. */
function loadCached(url, answer, path, isRequire) {
  const result = madeOf(answer, path, url);
  if (result.exports !== undefined || !StringStartsWith(url, 'file:')) MapSet(results, url, result);
  return answerOf(url, result, isRequire);
}

function loaderOf(path) {
  const extension = RegExpExec(/\.([^./]+)$/, path)?.[1];
  const loader = OF_EXTENSIONS[extension] ?? extension;
  return loader in SCRIPTS || loader in PARSERS ? loader : 'js';
}

function madeOf(answer, path, url) {
  const { contents, loader = loaderOf(path) } = answer;
  if (loader === 'object') {
    const { exports } = answer;
    if (typeof exports !== 'object' || exports === null) throw new TypeError('"object" loader must return an "exports" object');
    return { exports };
  }
  if (!(loader in SCRIPTS) && !(loader in PARSERS)) {
    throw new Error('Expected loader to be one of "js", "jsx", "object", "ts", "tsx", "toml", "yaml", "json", "xml", or "md"');
  }
  if (typeof contents !== 'string' && !ArrayBufferIsView(contents) && !isArrayBuffer(contents)) {
    throw new Error('Expected "contents" to be a string or an ArrayBufferView');
  }
  const text = typeof contents === 'string' ? contents : new (require('web/encoding/text').TextDecoder)().decode(contents);
  if (loader in PARSERS) return { exports: documentOf(PARSERS[loader](text)) };
  const isPlain = loader === 'js';
  const source = isPlain
    ? text
    : new (require('rt/modules/transpiler').Transpiler)({ loader, target: 'node' }).transformSync(text);
  const isModule = native.modules_isModuleText(url, source, 'js') || !RegExpTest(/\b(?:module|exports|require)\b/, source);
  return { source, format: isModule ? 'module' : 'commonjs' };
}

/** A document as a module: its value, and its members by their names. */
function documentOf(value) {
  const isPlain = typeof value === 'object' && value !== null && !ArrayIsArray(value);
  return { ...(isPlain ? value : {}), default: value };
}

function answerOf(url, { exports, source, format }, isRequire) {
  if (exports === undefined) return { source, format, shortCircuit: true };
  const mine = `globalThis[Symbol.for(${JSONStringify(TABLE)})](${JSONStringify(url)})`;
  if (isRequire) return { source: `module.exports = ${mine};`, format: 'commonjs', shortCircuit: true };
  const exported = ArrayMap(
    ObjectKeys(exports),
    (name, index) => `const v${index} = all[${JSONStringify(name)}]; export { v${index} as ${JSONStringify(name)} };`,
  );
  return { source: `const all = ${mine};\n${ArrayJoin(exported, '\n')}\nexport {};`, format: 'module', shortCircuit: true };
}
ObjectDefineProperty(globalThis, SymbolFor(TABLE), { __proto__: null, value: (url) => MapGet(results, url)?.exports });

module.exports = { plugin };
