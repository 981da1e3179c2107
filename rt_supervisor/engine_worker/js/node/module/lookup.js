'use strict';
// Owns: resolution of required names: `Module._resolveFilename` and related functions, `require.resolve`, and the error for
// names that cannot be resolved. The host reads the disk (ops/modules.py).

const { isSet } = require('internal/brands');
const { setOf } = require('internal/collections');
const native = host.native;
const runtimeParts = require('internal/parts');
const {
  ArrayFilter,
  ArrayIsArray,
  ArrayJoin,
  ArrayPush,
  RegExpTest,
  SetForEach,
  SetHas,
  StringEndsWith,
  StringIncludes,
  StringIndexOf,
  StringLastIndexOf,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const builtins = require('node/module/builtins');
const { describe } = require('internal/errors/report');

/** The directory of a filename, as `path.dirname` returns it. */
function folderOf(filename) {
  const slash = StringLastIndexOf(filename, '/');
  return slash > 0 ? StringSlice(filename, 0, slash) : slash === 0 ? '/' : '.';
}

/** The node_modules directories for files in `folder`, nearest first. */
function pathsFor(folder) {
  const paths = [];
  for (let end = folder.length; end > 0; end = StringLastIndexOf(folder, '/', end - 1)) {
    const each = StringSlice(folder, 0, end);
    if (!StringEndsWith(each, '/node_modules') && each !== '/') ArrayPush(paths, `${each}/node_modules`);
  }
  ArrayPush(paths, '/node_modules');
  return paths;
}

let globals;

/** Returns the directories of NODE_PATH from the environment, or as they were when last read. */
function globalFolders(isRequestedAgain = false) {
  if (isRequestedAgain || globals === undefined) {
    const { NODE_PATH } = runtimeParts.process.process.env;
    globals = typeof NODE_PATH === 'string' ? ArrayFilter(StringSplit(NODE_PATH, ':'), (folder) => folder !== '') : [];
    if (isRequestedAgain) native.modules_useGlobalFolders(globals);
  }
  return globals;
}

const isRelative = (specifier) => RegExpTest(/^\.\.?(?:\/|$)/, specifier);

function checkSpecifier(specifier, name = 'id') {
  const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = require('internal/errors/errors').codes;
  if (typeof specifier !== 'string') throw new ERR_INVALID_ARG_TYPE(name, 'string', specifier);
  if (specifier === '' && name === 'id') throw new ERR_INVALID_ARG_VALUE('id', specifier, 'must be a non-empty string');
}

/** The error of `require` for an unknown name with the prefix `node:`; for resolution only, the module was not found. */
function unknownBuiltin(specifier) {
  const error = new Error(`No such built-in module: ${specifier}`);
  error.code = 'ERR_UNKNOWN_BUILTIN_MODULE';
  return describe(error, { text: error.message, frames: [] });
}

/** The error of `require`; a `note` about the package is appended. */
function notFound(specifier, module, why = undefined, note = '', conditions = undefined) {
  const isExplained = startValues.programName === 'node' && !isRelative(specifier) && !StringStartsWith(specifier, '/');
  if (isExplained || why === 'invalid-package-target' || why === 'invalid-specifier')
    native.modules_failRequire(specifier, module?.filename ?? `${host.cwd()}/`, conditions);
  const stack = [];
  for (let each = module; each; each = each.parent) ArrayPush(stack, each.filename ?? each.id);
  const after = stack.length > 0 ? `\nRequire stack:\n- ${ArrayJoin(stack, '\n- ')}` : '';
  const error = new Error(`Cannot find module '${specifier}'${after}`);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = stack;
  const isPackage =
    why === 'package-not-found' &&
    !StringIncludes(StringSlice(specifier, StringStartsWith(specifier, '@') ? StringIndexOf(specifier, '/') + 1 : 0), '/');
  const from = module ? ` from '${module.filename ?? module.id}'` : '';
  const text = `Cannot find ${isPackage ? 'package' : 'module'} '${specifier}'${from}${note && `\n\nnote: ${note}`}`;
  return describe(error, { text, frames: [] });
}

/** The conditions of `options`, Node's Set or a hook's list; they are added to the program's. */
function conditionsOf(options) {
  const conditions = options?.conditions;
  if (conditions === undefined || conditions === null || ArrayIsArray(conditions)) return conditions ?? undefined;
  if (!isSet(conditions)) throw new TypeError('conditions.has is not a function');
  const list = [];
  SetForEach(conditions, (condition) => {
    ArrayPush(list, `${condition}`);
  });
  return list.length === 0 ? undefined : list;
}

/**
 * The path that a relative or absolute specifier means after its `..` and `.` are removed as text, so that it does not matter
 * whether the directories before them exist; any other specifier as it is.
 */
function withoutDots(specifier, importer) {
  const isPath = isRelative(specifier) || (StringStartsWith(specifier, '/') && RegExpTest(/\/\.\.?(?:\/|$)/, specifier));
  if (!isPath) return specifier;
  const path = require('node/path/path').resolve(StringEndsWith(importer, '/') ? importer : folderOf(importer), specifier);
  return RegExpTest(/(?:^|\/)\.{0,2}$/, specifier) ? `${path}/` : path;
}

/**
 * Resolves `specifier` for a file `importer` (a directory if it ends in a slash), or gives the reason for the failure: [kind,
 * path, query].
 */
function find(specifier, importer, extensions, conditions = undefined) {
  const path = native.modules_resolve(specifier, importer, true, conditions);
  if (path[0] !== 'failure' || path[1] === 'unknown-builtin') return path;
  const plain = withoutDots(specifier, importer);
  if (plain !== specifier) return find(plain, importer, extensions, conditions);
  // Extensions added by the program come after all built-in ones.
  for (let at = 0, list = extensions(); at < list.length; at++) {
    const extension = list[at];
    for (const form of intact([`${specifier}${extension}`, `${specifier}/index${extension}`])) {
      const again = native.modules_resolve(form, importer, true, conditions);
      if (again[0] === 'file') return again;
    }
  }
  return path;
}

/** Resolves `specifier` in `folders`, a part of `module.paths`; undefined if it is not found. */
function findInside(specifier, folders, extensions, conditions) {
  for (const folder of intact(folders)) {
    const inside = StringEndsWith(folder, '/node_modules')
      ? [specifier, `${folderOf(folder)}/`]
      : [`${folder}/${specifier}`, '/'];
    const path = find(inside[0], inside[1], extensions, conditions);
    if (path[0] !== 'failure') return path;
  }
  return undefined;
}

/** As `find`, for a package whose name begins with `#`, in a package without `imports`; undefined if there is none. */
function findHashed(specifier, importer) {
  if (!StringStartsWith(specifier, '#')) return undefined;
  const { pathToHref } = require('internal/file_url');
  for (const folder of intact(pathsFor(folderOf(importer)))) {
    const path = native.modules_resolve(pathToHref(`${folder}/${specifier}/index.js`), importer, true, undefined);
    if (path[0] === 'file') return path;
  }
  return undefined;
}

/** As `find`, for a module or a substitute for one; directories added to `module.paths` are searched in their order. */
function findFrom(specifier, module, extensions, conditions) {
  const importer =
    typeof module?.filename === 'string' ? module.filename : `${typeof module?.path === 'string' ? module.path : host.cwd()}/`;
  const paths = module?.paths;
  if (!ArrayIsArray(paths) || isRelative(specifier) || StringStartsWith(specifier, '/') || StringStartsWith(specifier, '#')) {
    const found = find(specifier, importer, extensions, conditions);
    return found[0] === 'failure' && startValues.programName === 'node' ? (findHashed(specifier, importer) ?? found) : found;
  }
  const folder = folderOf(importer);
  if (paths[0] !== `${folder}/node_modules`) {
    const usual = setOf(pathsFor(folder));
    const before = [];
    for (let at = 0; at < paths.length && !SetHas(usual, paths[at]); at++) {
      if (typeof paths[at] === 'string') ArrayPush(before, paths[at]);
    }
    const path = findInside(specifier, before, extensions, conditions);
    if (path !== undefined) return path;
  }
  const path = find(specifier, importer, extensions, conditions);
  if (path[0] !== 'failure') return path;
  const usual = setOf(pathsFor(folder));
  const after = ArrayFilter(paths, (each) => typeof each === 'string' && !SetHas(usual, each));
  return findInside(specifier, after, extensions, conditions) ?? path;
}

function resolveIn(specifier, folders, module, extensions, conditions) {
  const { validateString } = require('internal/validators');
  const { resolve } = require('node/path/path');
  for (let index = 0; index < folders.length; index++) validateString(folders[index], `paths[${index}]`);
  for (let index = 0; index < folders.length; index++) {
    const folder = folders[index];
    let from = resolve(folder);
    // A node_modules directory is searched itself, not a directory of that name inside it.
    if (!isRelative(specifier)) while (StringEndsWith(from, '/node_modules')) from = folderOf(from);
    const { 0: kind, 1: path, 2: query } = find(specifier, `${from}/`, extensions, conditions);
    if (kind === 'builtin') return path;
    if (kind !== 'failure') return path + query;
  }
  throw notFound(specifier, module, 'module-not-found');
}

/** The statics of Module for resolution. `extensions()` returns those added by the program. */
function statics(extensions) {
  return {
    _resolveFilename(request, parent, isMain, options) {
      const paths = typeof options === 'object' && options !== null ? options.paths : undefined;
      if (paths !== undefined && !ArrayIsArray(paths)) {
        const { ERR_INVALID_ARG_VALUE } = require('internal/errors/errors').codes;
        throw new ERR_INVALID_ARG_VALUE('options.paths', paths);
      }
      if (builtins.isBuiltin(request)) return request;
      // `require` of Node takes no URLs; Bun's does.
      if (startValues.programName === 'node' && StringStartsWith(request, 'file:')) throw notFound(request, parent);
      if (paths !== undefined) return resolveIn(request, paths, parent, extensions, conditionsOf(options));
      const { 0: kind, 1: path, 2: query } = findFrom(request, parent, extensions, conditionsOf(options));
      if (kind === 'failure') throw notFound(request, parent, path, query, conditionsOf(options));
      return kind === 'builtin' ? path : path + query;
    },
    /** 1 for a directory, 0 for anything else, negative if nothing exists. */
    _stat(path) {
      try {
        return require('node/fs/sync').statSync(path).isDirectory() ? 1 : 0;
      } catch (error) {
        return error.errno ?? -1;
      }
    },
    _nodeModulePaths: (from) => pathsFor(require('node/path/path').resolve(from)),
    _resolveLookupPaths(request, parent) {
      if (builtins.isBuiltin(request)) return null;
      if (!isRelative(request)) return [...intact(parent?.paths ?? []), ...intact(globalFolders())];
      return [typeof parent?.filename === 'string' ? folderOf(parent.filename) : '.'];
    },
    /** The file for `request` in one of `paths`; false if there is none. */
    _findPath(request, paths, isMain) {
      const { resolve } = require('node/path/path');
      const folders = StringStartsWith(request, '/') ? ['/'] : paths;
      for (const folder of intact(folders ?? [])) {
        const { 0: kind, 1: path } = find(resolve(folder, request), '/', extensions);
        if (kind === 'file') return path;
      }
      return false;
    },
  };
}

/** The `require.resolve` of `module`. */
function makeResolve(Module, module) {
  const isBehind = runtimeParts.moduleHooks?.isBehind(module) === true;
  function resolve(request, options) {
    checkSpecifier(request, 'request');
    if (runtimeParts.moduleHooks === undefined) return Module._resolveFilename(request, module, false, options);
    return runtimeParts.moduleHooks.resolveRequired(Module, request, module, false, isBehind ? undefined : options)[0];
  }
  if (isBehind) return resolve; // as in Node, without options and `paths`
  resolve.paths = function paths(request) {
    checkSpecifier(request, 'request');
    return Module._resolveLookupPaths(request, module);
  };
  return resolve;
}

module.exports = { folderOf, globalFolders, pathsFor, checkSpecifier, statics, makeResolve, unknownBuiltin };
