'use strict';
// Owns: RT.FileSystemRouter: routes for the files of a folder, in the naming scheme of Next.js pages. `route_names` interprets
// the names.

const {
  ArrayIncludes,
  ArrayIsArray,
  ArrayPush,
  ArraySlice,
  ArraySort,
  ObjectAssign,
  ObjectDefineProperty,
  RegExpExec,
  RegExpReplace,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { kindOfName, matchName, nameOfFile, compareNames, isKnownAs } = require('rt/router/route_names');

const USUAL = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.cjs'];
const { wrongType } = require('internal/errors/errors');

function textOption(options, name) {
  const value = options[name];
  if (value === undefined || value === null || typeof value === 'string') return value || null;
  throw wrongType(`FileSystemRouterOptions.${name} must be a string`);
}

function checkedOptions(options) {
  if (options === null || typeof options !== 'object') throw wrongType('Expected object');
  const { dir, style, fileExtensions = USUAL } = options;
  if (dir === undefined || dir === null) throw wrongType('FileSystemRouterOptions.dir is required');
  if (typeof dir !== 'string') throw wrongType('FileSystemRouterOptions.dir must be a string');
  if (typeof style !== 'string') throw wrongType('Expected \'style\' option (ex: "style": "nextjs")');
  if (style !== 'nextjs') throw wrongType("Only 'nextjs' style is currently implemented");
  if (!ArrayIsArray(fileExtensions)) throw wrongType('FileSystemRouterOptions.fileExtensions must be an array of string');
  for (const extension of intact(fileExtensions))
    if (typeof extension !== 'string') throw wrongType('element of FileSystemRouterOptions.fileExtensions must be a string');
  return {
    folder: require('node/path/path').resolve(dir),
    extensions: ArraySlice(fileExtensions),
    assetPrefix: textOption(options, 'assetPrefix'),
    origin: textOption(options, 'origin'),
  };
}

/** Yields the relative paths of the files below a folder that have one of the extensions, except hidden files and packages. */
function* filesOf(top, extensions, below = '') {
  const { readdirSync } = require('node/fs/sync');
  for (const entry of intact(readdirSync(below === '' ? top : `${top}/${below}`, { withFileTypes: true }))) {
    const { name } = entry;
    if (StringStartsWith(name, '.') || name === 'node_modules') continue;
    const path = below === '' ? name : `${below}/${name}`;
    const isFolder = entry.isSymbolicLink()
      ? require('node/fs/sync').statSync(`${top}/${path}`, { throwIfNoEntry: false })?.isDirectory()
      : entry.isDirectory();
    if (isFolder) yield* intact(filesOf(top, extensions, path));
    else if (ArrayIncludes(extensions, RegExpExec(/\.[^.]*$/, name)?.[0])) yield path;
  }
}

function problem(message) {
  const error = new Error(message);
  ObjectDefineProperty(error, 'name', { __proto__: null, value: 'BuildMessage', writable: true, configurable: true });
  return error;
}

/** Returns the routes of a folder in matching order: [{ name, kind, file }]. */
function routesOf(folder, extensions) {
  const { statSync } = require('node/fs/sync');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`Unable to find directory: ${folder}`);
  const routes = [];
  const files = { __proto__: null };
  for (const file of intact(filesOf(folder, extensions))) {
    const name = nameOfFile(file);
    const kind = kindOfName(name, problem);
    if (files[name] !== undefined) throw problem(`Route "${name}" is already defined by ${folder}/${files[name]}`);
    files[name] = file;
    ArrayPush(routes, { name, kind, file });
  }
  return ArraySort(routes, compareNames);
}

function addressOf(input) {
  if (typeof input === 'string') return input;
  const { Request } = require('web/fetch/request');
  const { Response } = require('web/fetch/response');
  if (input instanceof Request || input instanceof Response) return input.url;
  throw wrongType('Expected string, Request or Response');
}

/** Returns the decoded path and query of an address, or undefined if it is not an absolute path. */
function placeOf(address) {
  let text = RegExpReplace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, address, '');
  try {
    text = decodeURIComponent(text);
  } catch {
    throw new Error(`DecodingError parsing path: ${text}`);
  }
  if (text === '') text = '/';
  if (!StringStartsWith(text, '/')) return undefined;
  const mark = StringIndexOf(text, '?');
  const path = mark < 0 ? text : StringSlice(text, 0, mark);
  return { pathname: text, path: RegExpReplace(/^\/+|\/+$/g, path, ''), query: mark < 0 ? '' : StringSlice(text, mark + 1) };
}

function put(values, name, value) {
  const existing = values[name];
  values[name] = existing === undefined ? value : ArrayIsArray(existing) ? [...intact(existing), value] : [existing, value];
}

/** The parameters come first: they take precedence over query values of the same name. */
function queryOf(text, params) {
  const query = { ...params };
  const parsed = {};
  for (const pair of intact(StringSplit(text, '&'))) {
    const mark = StringIndexOf(pair, '=');
    const name = mark < 0 ? pair : StringSlice(pair, 0, mark);
    if (name !== '' && !(name in params)) put(parsed, name, mark < 0 ? '' : StringSlice(pair, mark + 1));
  }
  return ObjectAssign(query, parsed);
}

/** A match. Its members are own properties, so that they are printed and cloned. */
class MatchedRoute {
  constructor(match) {
    ObjectAssign(this, match, { scriptSrc: match.src });
  }
}

class FileSystemRouter {
  #options;
  #routes;

  constructor(options) {
    this.#options = checkedOptions(options);
    this.#routes = routesOf(this.#options.folder, this.#options.extensions);
  }

  get assetPrefix() {
    return this.#options.assetPrefix;
  }

  get origin() {
    return this.#options.origin;
  }

  get style() {
    return 'nextjs';
  }

  get routes() {
    const all = {};
    for (const { name, file } of intact(this.#routes)) all[name] = `${this.#options.folder}/${file}`;
    return all;
  }

  #sourceOf(file) {
    const { origin, assetPrefix, folder } = this.#options;
    if (origin === null) return file;
    const prefix = RegExpReplace(/^\//, assetPrefix ?? '', '');
    return `${new (require('web/url/class').URL)(origin, `file://${folder}/`).origin}/${prefix}${file}`;
  }

  match(input) {
    const place = placeOf(addressOf(input));
    if (place === undefined) return null;
    for (const { name, kind, file } of intact(this.#routes)) {
      const params = kind === 'exact' ? isKnownAs(name, place.path) && {} : matchName(name, place.path, put);
      if (!params) continue;
      return new MatchedRoute({
        params,
        name,
        kind,
        filePath: `${this.#options.folder}/${file}`,
        pathname: place.pathname,
        query: queryOf(place.query, params),
        src: this.#sourceOf(file),
      });
    }
    return null;
  }

  reload() {
    this.#routes = routesOf(this.#options.folder, this.#options.extensions);
    return this;
  }
}

for (const one of intact([FileSystemRouter, MatchedRoute]))
  ObjectDefineProperty(one.prototype, Symbol.toStringTag, { __proto__: null, value: one.name, configurable: true });

module.exports = { FileSystemRouter };
