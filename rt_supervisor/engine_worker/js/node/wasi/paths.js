// @ts-check
'use strict';
// Owns: resolution of a guest's path to a host path. It is walked name by name below its starting directory, as are the
// targets of symbolic links on the way, so that nothing leads out of that directory.

const {
  ArrayJoin,
  ArrayPop,
  ArrayPush,
  ArrayShift,
  ArrayUnshift,
  StringEndsWith,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { Failed } = require('node/wasi/errno');
const fs = require('node/fs/sync');

const MOST_LINKS = 32;
const LONGEST_PATH = 4096;

const namesOf = (path) => {
  const names = [];
  for (const name of intact(StringSplit(path, '/'))) if (name !== '' && name !== '.') ArrayPush(names, name);
  return names;
};

/** The names of a link's absolute target, which is a guest path, below the directory that must contain it. */
function namesBelow(directory, path) {
  const names = namesOf(path);
  const begin = namesOf(directory.name);
  const walked = [];
  for (const name of intact(names)) {
    if (name === '..') ArrayPop(walked);
    else ArrayPush(walked, name);
  }
  for (let index = 0; index < begin.length; index++) if (walked[index] !== begin[index]) throw new Failed('NOTCAPABLE');
  const rest = [];
  for (let index = begin.length; index < walked.length; index++) ArrayPush(rest, walked[index]);
  return rest;
}

const linkAt = (path) => {
  try {
    return /** @type {string} */ (fs.readlinkSync(path));
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
};

/**
 * The host path of `path` below `directory`; `follows` says whether a link at its end is followed.
 * @param {import('node/wasi/descriptors').Descriptor} directory @param {string} path @param {boolean} follows
 */
function resolve(directory, path, follows) {
  if (path === '') throw new Failed('INVAL');
  if (path.length > LONGEST_PATH) throw new Failed('NAMETOOLONG');
  if (StringStartsWith(path, '/')) throw new Failed('NOTCAPABLE'); // a guest's libc selects the directory itself
  const remaining = namesOf(path);
  const wantsDirectory = StringEndsWith(path, '/') || StringEndsWith(path, '/.');
  /** @type {string[]} */
  const walked = [];
  const at = (name) => `${directory.path}/${ArrayJoin(walked, '/')}${walked.length === 0 ? '' : '/'}${name}`;
  let links = 0;
  while (remaining.length > 0) {
    const name = /** @type {string} */ (ArrayShift(remaining));
    if (name === '..') {
      if (walked.length === 0) throw new Failed('NOTCAPABLE');
      ArrayPop(walked);
      continue;
    }
    const isLast = remaining.length === 0;
    const target = isLast && !follows && !wantsDirectory ? undefined : linkAt(at(name));
    if (target === undefined) {
      ArrayPush(walked, name);
      continue;
    }
    if (++links > MOST_LINKS) throw new Failed('LOOP');
    const isAbsolute = StringStartsWith(target, '/');
    if (isAbsolute) walked.length = 0;
    const names = isAbsolute ? namesBelow(directory, target) : namesOf(target);
    for (let index = names.length - 1; index >= 0; index--) ArrayUnshift(remaining, names[index]);
  }
  const whole = walked.length === 0 ? directory.path : StringSlice(at(''), 0, -1);
  return wantsDirectory && walked.length > 0 ? `${whole}/` : whole;
}

/** The guest path of an entry, as stored with a directory. */
function nameOf(directory, path) {
  return `${directory.name}/${path}`;
}

module.exports = { resolve, nameOf };
