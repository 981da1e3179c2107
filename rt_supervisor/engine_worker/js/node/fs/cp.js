'use strict';
// Owns: fs.cp: whole trees copied, with filter, force, errorOnExist, dereference and timestamps.

const { StringStartsWith } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { pathOf } = require('node/fs/arguments');
const { validateBoolean, validateFunction, validateObject } = require('internal/validators');

const FLAGS = ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks'];

function checked(options) {
  if (options === undefined) options = {};
  validateObject(options, 'options');
  const filled = {
    dereference: false,
    errorOnExist: false,
    force: true,
    preserveTimestamps: false,
    recursive: false,
    verbatimSymlinks: false,
    mode: 0,
    ...options,
  };
  for (let index = 0; index < FLAGS.length; index++) {
    const name = FLAGS[index];
    validateBoolean(filled[name], `options.${name}`);
  }
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  return filled;
}

const failure = (Code, message, { path, errno, code }) =>
  Object.assign(new Code(`${message}: cp returned ${code} (${message}) ${path}`), {
    name: 'SystemError',
    errno,
    syscall: 'cp',
    path,
  });

/** Throw for copies that make no sense, knowing what stands at both places. */
function check(from, to, source, target, options) {
  if (target && source.ino === target.ino && source.dev === target.dev) {
    throw new codes.ERR_FS_CP_EINVAL('Invalid src or dest: cp returned EINVAL (src and dest cannot be the same) ' + to);
  }
  if (source.isDirectory() && !options.recursive) {
    const error = new codes.ERR_FS_EISDIR(
      `Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${from} is a directory (not copied)) ${from}`,
    );
    throw Object.assign(error, { name: 'SystemError', errno: 21, syscall: 'cp', path: from });
  }
  if (target && source.isDirectory() && !target.isDirectory()) {
    throw failure(codes.ERR_FS_CP_DIR_TO_NON_DIR, `cannot overwrite non-directory ${to} with directory ${from}`, {
      path: to,
      errno: 21,
      code: 'EISDIR',
    });
  }
  if (target && !source.isDirectory() && target.isDirectory()) {
    throw failure(codes.ERR_FS_CP_NON_DIR_TO_DIR, `cannot overwrite directory ${to} with non-directory ${from}`, {
      path: to,
      errno: 20,
      code: 'ENOTDIR',
    });
  }
  if (source.isDirectory()) {
    const path = require('node/path/path');
    if (StringStartsWith(`${path.resolve(to)}/`, `${path.resolve(from)}/`)) {
      throw failure(codes.ERR_FS_CP_EINVAL, `cannot copy ${from} to a subdirectory of self ${to}`, {
        path: to,
        errno: 22,
        code: 'EINVAL',
      });
    }
  }
}

function survey(fs, from, to, options) {
  const look = options.dereference ? fs.statSync : fs.lstatSync;
  const source = look(from, { bigint: true });
  const target = look(to, { bigint: true, throwIfNoEntry: false });
  check(from, to, source, target, options);
  return { source, target };
}

function copyOne(fs, from, to, options) {
  const { source, target } = survey(fs, from, to, options);
  if (source.isDirectory()) {
    const isNew = target === undefined;
    if (isNew) fs.mkdirSync(to, { recursive: true });
    for (const name of fs.readdirSync(from)) {
      const inner = `${from}/${name}`;
      const outer = `${to}/${name}`;
      if (options.filter && !options.filter(inner, outer)) continue;
      copyOne(fs, inner, outer, options);
    }
    if (isNew) fs.chmodSync(to, Number(source.mode & 0o7777n));
    return;
  }
  if (source.isSymbolicLink()) {
    let place = fs.readlinkSync(from);
    const path = require('node/path/path');
    if (!options.verbatimSymlinks && !path.isAbsolute(place)) place = path.resolve(path.dirname(from), place);
    if (target) fs.unlinkSync(to);
    fs.symlinkSync(place, to);
    return;
  }
  if (target) {
    if (!options.force) {
      if (options.errorOnExist)
        throw failure(codes.ERR_FS_CP_EEXIST, `${to} already exists`, { path: to, errno: 17, code: 'EEXIST' });
      return;
    }
    fs.unlinkSync(to);
  }
  fs.copyFileSync(from, to, options.mode);
  if (options.preserveTimestamps) fs.utimesSync(to, Number(source.atimeMs) / 1000, Number(source.mtimeMs) / 1000);
}

function copy(fs, from, to, options) {
  options = checked(options);
  from = pathOf(from, 'src');
  to = pathOf(to, 'dest');
  if (options.filter && !options.filter(from, to)) return;
  survey(fs, from, to, options);
  const folder = require('node/path/path').dirname(to);
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { recursive: true });
  copyOne(fs, from, to, options);
}

// --- the same beside the loop; a filter may take its time

async function surveyLater(fs, from, to, options) {
  const look = options.dereference ? fs.stat : fs.lstat;
  const source = await look(from, { bigint: true });
  const target = await look(to, { bigint: true, throwIfNoEntry: false });
  check(from, to, source, target, options);
  return { source, target };
}

async function copyOneLater(fs, from, to, options) {
  const { source, target } = await surveyLater(fs, from, to, options);
  if (source.isDirectory()) {
    const isNew = target === undefined;
    if (isNew) await fs.mkdir(to, { recursive: true });
    for (let index = 0, list = await fs.readdir(from); index < list.length; index++) {
      const name = list[index];
      const inner = `${from}/${name}`;
      const outer = `${to}/${name}`;
      if (options.filter && !(await options.filter(inner, outer))) continue;
      await copyOneLater(fs, inner, outer, options);
    }
    if (isNew) await fs.chmod(to, Number(source.mode & 0o7777n));
    return;
  }
  if (source.isSymbolicLink()) {
    let place = await fs.readlink(from);
    const path = require('node/path/path');
    if (!options.verbatimSymlinks && !path.isAbsolute(place)) place = path.resolve(path.dirname(from), place);
    if (target) await fs.unlink(to);
    await fs.symlink(place, to);
    return;
  }
  if (target) {
    if (!options.force) {
      if (options.errorOnExist)
        throw failure(codes.ERR_FS_CP_EEXIST, `${to} already exists`, { path: to, errno: 17, code: 'EEXIST' });
      return;
    }
    await fs.unlink(to);
  }
  await fs.copyFile(from, to, options.mode);
  if (options.preserveTimestamps) await fs.utimes(to, Number(source.atimeMs) / 1000, Number(source.mtimeMs) / 1000);
}

/** `fs` is node:fs/promises. */
async function copyLater(fs, from, to, options) {
  options = checked(options);
  from = pathOf(from, 'src');
  to = pathOf(to, 'dest');
  if (options.filter && !(await options.filter(from, to))) return;
  await surveyLater(fs, from, to, options);
  await fs.mkdir(require('node/path/path').dirname(to), { recursive: true });
  await copyOneLater(fs, from, to, options);
}

module.exports = { copy, copyLater };
