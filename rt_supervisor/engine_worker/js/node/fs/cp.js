// @ts-check
'use strict';
// Owns: fs.cp: recursive copies with filter, force, errorOnExist, dereference and timestamps. The algorithm is a single
// generator that yields calls of node:fs; the synchronous form performs them immediately, the asynchronous one awaits them.

const runtimeParts = require('internal/parts');
const { GeneratorNext, GeneratorThrow, StringStartsWith, intact } = require('internal/primordials');
const { isPromise } = require('internal/brands');
const { codes, withCode } = require('internal/errors/errors');
const { pathOf } = require('node/fs/arguments');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');

const FLAGS = ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks'];
const LARGEST_MODE = 7;
const PERMISSIONS = 0o7777n;
const OWNER_WRITES = 0o200n;

function checkOptions(options) {
  if (options === undefined) options = {};
  validateObject(options, 'options');
  const filled = {
    dereference: false,
    errorOnExist: false,
    force: true,
    preserveTimestamps: false,
    recursive: false,
    verbatimSymlinks: false,
    ...options,
  };
  for (let index = 0; index < FLAGS.length; index++) {
    const name = FLAGS[index];
    validateBoolean(filled[name], `options.${name}`);
  }
  filled.mode ??= 0;
  validateInteger(filled.mode, 'mode', 0, LARGEST_MODE);
  if (filled.dereference && filled.verbatimSymlinks)
    throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  if (filled.filter !== undefined) validateFunction(filled.filter, 'options.filter');
  return filled;
}

const paths = () => require('node/path/path');
const isInside = (folder, place) => StringStartsWith(`${paths().resolve(place)}/`, `${paths().resolve(folder)}/`);
const isSame = (one, other) => one.ino === other.ino && one.dev === other.dev;

/** The start of each refusal's message, and the code and number of the system error that it reports. */
const REFUSALS = {
  __proto__: null,
  ERR_FS_CP_DIR_TO_NON_DIR: ['Cannot overwrite non-directory with directory', 'EISDIR', 21],
  ERR_FS_CP_EEXIST: ['Target already exists', 'EEXIST', 17],
  ERR_FS_CP_EINVAL: ['Invalid src or dest', 'EINVAL', 22],
  ERR_FS_CP_FIFO_PIPE: ['Cannot copy a FIFO pipe', 'EINVAL', 22],
  ERR_FS_CP_NON_DIR_TO_DIR: ['Cannot overwrite directory with non-directory', 'ENOTDIR', 20],
  ERR_FS_CP_SOCKET: ['Cannot copy a socket file', 'EINVAL', 22],
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: ['Cannot overwrite symlink in subdirectory of self', 'EINVAL', 22],
  ERR_FS_CP_UNKNOWN: ['Cannot copy an unknown file type', 'EINVAL', 22],
  ERR_FS_EISDIR: ['Path is a directory', 'EISDIR', 21],
};

/** Throws the refusal of `path`; `sentence`, which only the synchronous form has, takes precedence in the message. */
function refuse(code, path, message, sentence) {
  const { 0: head, 1: failed, 2: errno } = REFUSALS[code];
  if (sentence !== undefined) throw withCode(new Error(sentence), code);
  throw require('internal/errors/system_error').systemError(code, head, { message, path, syscall: 'cp', errno, code: failed });
}

class Copying {
  constructor(options, isSync) {
    this.options = options;
    this.isSync = isSync;
  }

  refuse(code, path, message, sentence) {
    refuse(code, path, message, this.isSync ? sentence : undefined);
  }

  *whole(from, to) {
    if (!(yield* intact(this.isWanted(from, to)))) return;
    const { source, target } = yield* intact(this.survey(from, to));
    yield* intact(this.checkParents(from, source, to));
    yield ['mkdir', paths().dirname(to), { recursive: true }];
    yield* intact(this.one(from, to, source, target));
  }

  *isWanted(from, to) {
    return this.options.filter === undefined || (yield ['filter', from, to]);
  }

  /** Returns the stats of source and target; throws if the source cannot be copied to the target. */
  *survey(from, to) {
    const look = this.options.dereference ? 'stat' : 'lstat';
    const source = yield [look, from, { bigint: true }];
    const target = yield [look, to, { bigint: true, throwIfNoEntry: false }];
    if (target !== undefined) {
      if (isSame(source, target))
        this.refuse('ERR_FS_CP_EINVAL', to, 'src and dest cannot be the same', `src and dest cannot be the same ${to}`);
      const fact = `non-directory ${to} with directory ${from}`;
      if (source.isDirectory() && !target.isDirectory())
        this.refuse('ERR_FS_CP_DIR_TO_NON_DIR', to, `cannot overwrite ${fact}`, `Cannot overwrite ${fact}`);
      const converse = `directory ${to} with non-directory ${from}`;
      if (!source.isDirectory() && target.isDirectory())
        this.refuse('ERR_FS_CP_NON_DIR_TO_DIR', to, `cannot overwrite ${converse}`, `Cannot overwrite ${converse}`);
    }
    if (source.isDirectory() && isInside(from, to)) this.refuseInside(from, to, to);
    return { source, target };
  }

  refuseInside(folder, place, path) {
    const fact = `copy ${folder} to a subdirectory of self ${place}`;
    this.refuse('ERR_FS_CP_EINVAL', path, `cannot ${fact}`, `Cannot ${fact}`);
  }

  /** Rejects a copy of a directory into itself, including by way of symbolic links. */
  *checkParents(from, source, to) {
    const { dirname, parse, resolve } = paths();
    const end = resolve(dirname(from));
    for (let parent = resolve(dirname(to)); parent !== end && parent !== parse(parent).root; parent = dirname(parent)) {
      const stats = yield ['stat', parent, { bigint: true, throwIfNoEntry: false }];
      if (stats === undefined) continue;
      if (isSame(source, stats)) this.refuseInside(from, to, to);
    }
  }

  *one(from, to, source, target) {
    if (source.isDirectory()) {
      if (!this.options.recursive)
        this.refuse(
          'ERR_FS_EISDIR',
          from,
          `${from} is a directory (not copied)`,
          `Recursive option not enabled, cannot copy a directory: ${from}`,
        );
      yield* intact(this.folder(from, to, source, target));
    } else if (source.isFile() || source.isCharacterDevice() || source.isBlockDevice()) {
      yield* intact(this.file(from, to, source, target));
    } else if (source.isSymbolicLink()) {
      yield* intact(this.link(from, to, target));
    } else if (source.isSocket()) {
      this.refuse('ERR_FS_CP_SOCKET', to, `cannot copy a socket file: ${to}`, `Cannot copy a socket file: ${to}`);
    } else if (source.isFIFO()) {
      this.refuse('ERR_FS_CP_FIFO_PIPE', to, `cannot copy a FIFO pipe: ${to}`, `Cannot copy a FIFO pipe: ${to}`);
    } else {
      this.refuse('ERR_FS_CP_UNKNOWN', to, `cannot copy an unknown file type: ${to}`);
    }
  }

  checkExists(to) {
    if (this.options.errorOnExist && !this.options.force) this.refuse('ERR_FS_CP_EEXIST', to, `${to} already exists`);
  }

  *folder(from, to, source, target) {
    if (target === undefined) yield ['mkdir', to];
    else this.checkExists(to);
    for (const name of intact(yield ['readdir', from])) {
      const { join } = paths();
      const inner = join(from, name);
      const outer = join(to, name);
      if (!(yield* intact(this.isWanted(inner, outer)))) continue;
      const both = yield* intact(this.survey(inner, outer));
      yield* intact(this.one(inner, outer, both.source, both.target));
    }
    if (target === undefined) yield ['chmod', to, Number(source.mode & PERMISSIONS)];
  }

  *file(from, to, source, target) {
    if (target !== undefined) {
      this.checkExists(to);
      if (!this.options.force) return;
      yield ['unlink', to];
    }
    yield ['copyFile', from, to, this.options.mode];
    if (!this.options.preserveTimestamps) return;
    const mode = Number(source.mode & PERMISSIONS);
    const isReadOnly = (source.mode & OWNER_WRITES) === 0n;
    if (isReadOnly) yield ['chmod', to, mode | Number(OWNER_WRITES)];
    const now = yield ['stat', from]; // copying has changed its atime
    yield ['utimes', to, now.atime, now.mtime];
    if (isReadOnly) yield ['chmod', to, mode];
  }

  *link(from, to, target) {
    const { dirname, isAbsolute, resolve } = paths();
    let place = yield ['readlink', from];
    if (!this.options.verbatimSymlinks && !isAbsolute(place)) place = resolve(dirname(from), place);
    let old;
    if (target?.isSymbolicLink()) {
      old = yield ['readlink', to];
      if (!isAbsolute(old)) old = resolve(dirname(to), old);
      const behind = yield ['stat', from, { throwIfNoEntry: false }];
      if (behind?.isDirectory()) {
        if (isInside(place, old)) this.refuseInside(place, old, to);
        // Removing the target would remove what the link points to.
        if (isInside(old, place)) {
          const fact = `cannot overwrite ${old} with ${place}`;
          this.refuse('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', to, fact, fact);
        }
      }
      yield ['unlink', to];
    }
    yield ['symlink', place, to];
  }
}

function startCopy(from, to, options, isSync) {
  options = checkOptions(options);
  const { 0: source, 1: target } = [pathOf(from, 'src'), pathOf(to, 'dest')];
  runtimeParts.permission?.check('fs.read', source);
  runtimeParts.permission?.check('fs.write', target);
  return { options, steps: new Copying(options, isSync).whole(source, target) };
}

function callNow(fs, options, { 0: name, 1: first, 2: second, 3: third }) {
  if (name !== 'filter') return fs[`${name}Sync`](first, second, third);
  const isWanted = options.filter(first, second);
  if (isPromise(isWanted)) throw new codes.ERR_INVALID_RETURN_VALUE('boolean', 'filter', isWanted);
  return isWanted;
}

/** `fs` holds the synchronous functions of node:fs. */
function copy(fs, from, to, options) {
  const { options: filled, steps } = startCopy(from, to, options, true);
  let step = GeneratorNext(steps);
  while (!step.done) {
    let value;
    try {
      value = callNow(fs, filled, step.value);
    } catch (error) {
      step = GeneratorThrow(steps, error);
      continue;
    }
    step = GeneratorNext(steps, value);
  }
}

/** `fs` is node:fs/promises. Invalid arguments throw synchronously. */
function copyLater(fs, from, to, options) {
  const { options: filled, steps } = startCopy(from, to, options, false);
  return (async () => {
    let step = GeneratorNext(steps);
    while (!step.done) {
      const { 0: name, 1: first, 2: second, 3: third } = step.value;
      let value;
      try {
        value = await (name === 'filter' ? filled.filter(first, second) : fs[name](first, second, third));
      } catch (error) {
        step = GeneratorThrow(steps, error);
        continue;
      }
      step = GeneratorNext(steps, value);
    }
  })();
}

module.exports = { copy, copyLater };
