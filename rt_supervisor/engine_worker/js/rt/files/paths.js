// @ts-check
'use strict';
// Owns: RT.which, resolve, resolveSync, pathToFileURL, fileURLToPath.

const runtimeParts = require('internal/parts');
const { ObjectAssign, RegExpTest, StringStartsWith, intact } = require('internal/primordials');
const native = host.native;

/** The maximum length of a path in bytes with its terminator: Linux's PATH_MAX. */
const LONGEST_PATH = 4096;

const { wrongType } = require('internal/errors/errors');

function which(name, options) {
  const { env } = runtimeParts.process.process;
  if (name === undefined || `${name}` === '') return null;
  if (native.encodeUtf8(`${name}`).length >= LONGEST_PATH) throw new Error('bin path is too long');
  return native.process_which(`${name}`, `${options?.PATH ?? env.PATH ?? ''}`, `${options?.cwd ?? host.cwd()}`) ?? null;
}

/** Resolves `specifier` for a file in the folder `from` (or for the file `from`); a built-in module resolves to its name. */
function resolveSync(specifier, from) {
  if (typeof specifier !== 'string' || specifier === '' || from === undefined) throw wrongType('Expected a from path');
  const place = StringStartsWith(`${from}`, 'file:') ? fileURLToPath(`${from}`) : `${from}`;
  const isFile =
    RegExpTest(/\.[^./]+$/, place) && require('node/fs/fs').existsSync(place) && require('node/fs/sync').statSync(place).isFile();
  const [kind, path] = intact(native.modules_resolve(specifier, isFile ? place : `${place}/`, false));
  if (kind === 'failure') {
    const error = new Error(`Cannot find module '${specifier}' from '${place}'`);
    throw ObjectAssign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
  return kind === 'builtin' ? require('node/module/builtins').shownName(path) : path;
}

async function resolve(specifier, from) {
  return resolveSync(specifier, from);
}

const pathToFileURL = (path) => require('node/url/files').pathToFileURL(`${path}`);

function fileURLToPath(url) {
  if (typeof url === 'string' && !require('web/url/class').URL.canParse(url)) {
    throw ObjectAssign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
  }
  return require('node/url/files').fileURLToPath(url);
}

module.exports = { which, resolve, resolveSync, pathToFileURL, fileURLToPath };
