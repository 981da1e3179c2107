'use strict';
// Owns: entries of an archive as files below a folder. Nothing is ever written outside of it: `..` and a leading slash are left
// out of paths, links that lead out are not made, and nothing is written through a link.

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

/** The names that lead to an entry, from the folder on. */
function namesOf(path) {
  const names = [];
  for (const name of intact(StringSplit(path, '/'))) {
    if (name === '..') ArrayPop(names);
    else if (name !== '' && name !== '.') ArrayPush(names, name);
  }
  return names;
}

/** Whether a link that lies below `names` leads to something in the folder. */
function staysWithin(names, target) {
  if (StringStartsWith(target, '/')) return false;
  let depth = names.length - 1;
  for (const name of intact(ArrayFilter(StringSplit(target, '/'), (each) => each !== '' && each !== '.'))) {
    depth += name === '..' ? -1 : 1;
    if (depth < 0) return false;
  }
  return true;
}

/** Make the folders on the way. A link among them is refused: it may have come with the archive. */
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

/** How many of the entries that are wanted there were. */
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
