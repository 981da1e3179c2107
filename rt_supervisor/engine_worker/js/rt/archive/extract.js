'use strict';
// Owns: extraction of an archive below a folder. Nothing is written outside of the folder: `..` and a leading slash are removed
// from paths, links that lead out are not created, and nothing is written through a link.

const {
  ArrayFilter,
  ArrayJoin,
  ArrayPop,
  ArrayPush,
  ArraySlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');

const MODES = 0o777;

/** Returns the path components of an entry, relative to the folder. */
function namesOf(path) {
  const names = [];
  for (const name of intact(StringSplit(path, '/'))) {
    if (name === '..') ArrayPop(names);
    else if (name !== '' && name !== '.') ArrayPush(names, name);
  }
  return names;
}

/** Returns whether the target of a link that lies below `names` is within the folder. */
function staysWithin(names, target) {
  if (StringStartsWith(target, '/')) return false;
  let depth = names.length - 1;
  for (const name of intact(ArrayFilter(StringSplit(target, '/'), (each) => each !== '' && each !== '.'))) {
    depth += name === '..' ? -1 : 1;
    if (depth < 0) return false;
  }
  return true;
}

/** Creates the parent folders. A link among them is rejected: it may come from the archive. */
async function makeFolders(fs, top, names) {
  let path = top;
  for (const name of intact(names)) {
    path = `${path}/${name}`;
    try {
      await fs.mkdir(path);
    } catch (error) {
      if (error.code !== 'EEXIST' || !(await fs.lstat(path)).isDirectory()) throw error;
    }
  }
}

async function writeOne(fs, top, entry, names) {
  const { type } = entry;
  if (type === 'folder') return makeFolders(fs, top, names);
  if (type !== 'file' && (type !== 'link' || !staysWithin(names, entry.target))) return undefined;
  await makeFolders(fs, top, ArraySlice(names, 0, -1));
  const path = `${top}/${ArrayJoin(names, '/')}`;
  await fs.rm(path, { force: true });
  if (type === 'link') return fs.symlink(entry.target, path);
  return fs.writeFile(path, entry.bytes, { mode: entry.mode & MODES, flag: 'wx' });
}

/** Extracts the entries that `isWanted` selects. Returns their number. */
async function extract(entries, top, isWanted) {
  const fs = require('node/fs/fs').promises;
  await fs.mkdir(top, { recursive: true });
  let count = 0;
  for (const entry of intact(entries)) {
    const names = namesOf(entry.path);
    if (!isWanted(ArrayJoin(names, '/'))) continue;
    if (names.length > 0) await writeOne(fs, top, entry, names);
    count++;
  }
  return count;
}

module.exports = { extract };
