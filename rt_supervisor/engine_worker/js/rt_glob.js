'use strict';
// Owns: RT.Glob: matching text and finding files. Patterns are the host's (linear in pattern times text).

const native = host.native;
const { validateString } = require('./validators');

class Glob {
  #pattern;

  constructor(pattern) {
    validateString(pattern, 'pattern');
    this.#pattern = pattern;
  }

  match(text) {
    validateString(text, 'text');
    return native.rt_globMatches(this.#pattern, [text]).length > 0;
  }

  *scanSync(options = {}) {
    if (typeof options === 'string') options = { cwd: options };
    const { cwd = host.cwd(), dot = false, absolute = false, followSymlinks = false, onlyFiles = true, throwErrorOnBrokenSymlink = false } = options;
    const fs = require('./fs_sync');
    const path = require('./path');
    const root = path.resolve(`${cwd}`);
    const waiting = [''];
    const seen = new Set([fs.realpathSync(root)]);
    for (let folder; (folder = waiting.shift()) !== undefined;) {
      const found = [];
      for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
        if (!dot && entry.name.startsWith('.') && !this.#pattern.split('/').some((part) => part.startsWith('.'))) continue;
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        let isFolder = entry.isDirectory();
        if (entry.isSymbolicLink()) {
          const stats = fs.statSync(path.join(root, name), { throwIfNoEntry: throwErrorOnBrokenSymlink });
          if (stats === undefined) continue;
          isFolder = followSymlinks && stats.isDirectory();
        }
        if (isFolder) {
          const real = fs.realpathSync(path.join(root, name));
          if (!seen.has(real)) {
            seen.add(real);
            waiting.push(name);
          }
        }
        if (!isFolder || !onlyFiles) found.push(name);
      }
      for (const place of native.rt_globMatches(this.#pattern, found)) yield absolute ? path.join(root, found[place]) : found[place];
    }
  }

  async* scan(options) { yield* this.scanSync(options); }
}

module.exports = { Glob };
