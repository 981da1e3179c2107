'use strict';
// Owns: `require.extensions`: which function loads a file, and the standard loaders. They pass the source to the module's
// `_compile`, and read it with `fs.readFileSync`, if a program has replaced these.

const native = host.native;
const runtimeParts = require('internal/parts');
const {
  ArrayBufferIsView,
  ArrayFilter,
  ArrayIncludes,
  JSONParse,
  ObjectCreate,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  SetAdd,
  SetHas,
  StringEndsWith,
  StringIndexOf,
  StringLastIndexOf,
  StringSlice,
  intact,
} = require('internal/primordials');
const { esModuleExports } = require('node/module/exports_view');

const KNOWN = ['.js', '.json', '.node', '.ts', '.cts', '.mjs', '.mts'];
const standard = new Set();

/** The extension of `filename` that has a loader: the longest registered one, `.js` if there is none. */
function extensionOf(extensions, filename) {
  const name = StringSlice(filename, StringLastIndexOf(filename, '/') + 1);
  for (let at = StringIndexOf(name, '.'); at !== -1; at = StringIndexOf(name, '.', at + 1)) {
    if (at > 0 && extensions[StringSlice(name, at)]) return StringSlice(name, at);
  }
  return '.js';
}

/** Whether the loader of `filename` is one created by `makeExtensions`. */
const isStandard = (extensions, filename) => SetHas(standard, extensions[extensionOf(extensions, filename)]);

/** The text of a file from the program's replacement of `fs.readFileSync`; undefined if it is not replaced. */
function readReplaced(filename) {
  const fs = runtimeParts.publicFs;
  if (fs === undefined || fs.module.readFileSync === fs.readFileSync) return undefined;
  const read = fs.module.readFileSync(filename, 'utf8');
  if (typeof read === 'string') return read;
  if (ArrayBufferIsView(read)) return require('node/buffer/buffer').Buffer.from(read).toString('utf8');
  const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
  throw new ERR_INVALID_ARG_TYPE('content', ['string', 'Buffer'], read);
}

/** Loads `module` from `name`, its file and query, with rt's own loader. `isOwnCompile`: `_compile` is not replaced. */
function loadStandard(module, name, isOwnCompile, call) {
  const { filename } = module;
  const load = () => {
    const { 0: kind, 1: value } = native.modules_loadCommonJs(name);
    if (kind === 'function') call(value);
    else if (kind === 'function with import.meta') call(value, StringSlice(name, filename.length));
    else if (kind === 'value') module.exports = value;
    else if (kind === 'esm' && module.id === '.') native.modules_runMainModule(filename);
    else if (kind === 'esm') module.exports = esModuleExports(require('node/module/require_esm').load(module, name));
    else if (kind === 'addon') runtimeParts.process.process.dlopen(module, filename);
  };
  const text = readReplaced(filename);
  if (text === undefined && isOwnCompile) load();
  else if (text !== undefined && StringEndsWith(filename, '.json'))
    module.exports = JSONParse(RegExpReplace(/^\ufeff/, text, ''));
  else if (text !== undefined && StringEndsWith(filename, '.node')) runtimeParts.process.process.dlopen(module, filename);
  else require('node/module/compiling').compileFile(module, filename, text, load);
}

/** `Module._extensions`; the standard loaders call `load(module, filename)`. */
function makeExtensions(load) {
  const extensions = ObjectCreate(null);
  for (const extension of intact(KNOWN)) {
    const loader = {
      [extension](module, filename) {
        const text = () => require('node/fs/fs').readFileSync(filename, 'utf8');
        if (extension === '.node') runtimeParts.process.process.dlopen(module, filename);
        else if (extension === '.json' && !StringEndsWith(filename, '.json')) module.exports = JSONParse(text());
        else if (RegExpTest(/ts$/, extension) && !RegExpTest(/tsx?$/, filename))
          module._compile(native.modules_transpiledText(filename, text(), 'ts'), filename);
        else load(module, filename);
      },
    }[extension];
    SetAdd(standard, loader);
    extensions[extension] = loader;
  }
  return extensions;
}

const added = (extensions) => ArrayFilter(ObjectKeys(extensions), (each) => !ArrayIncludes(KNOWN, each));

module.exports = { extensionOf, isStandard, loadStandard, makeExtensions, added };
