// @ts-check
'use strict';
// Owns: the descriptors of a guest: the host file, offset and rights of each. Numbers are the guest's; the lowest free one is
// used.

const { ArrayPush, intact } = require('internal/primordials');
const { Failed } = require('node/wasi/errno');
const { TYPE, mostRights, typeOf } = require('node/wasi/rights');
const fs = require('node/fs/sync');

/**
 * @typedef {object} Descriptor
 * @property {number} real the host's descriptor
 * @property {number} type
 * @property {number} rights
 * @property {number} inherits rights of what is opened through it
 * @property {string} path the host's path, for directories
 * @property {string} name the guest's path, for directories
 * @property {boolean} isPreopened
 * @property {boolean} isOwn whether to close it with the guest's
 * @property {number | null} position the offset of the next read or write; null: the host's own offset
 * @property {number} flags FDFLAGS
 * @property {any} listing of a directory, while it is being read
 */

/**
 * A descriptor of an open host file.
 * @param {number} real
 * @param {object} [rest]
 * @returns {Descriptor}
 */
function descriptorOf(real, rest = {}) {
  const stats = fs.fstatSync(real);
  const type = typeOf(stats.mode);
  const isTerminal = type === TYPE.CHARACTER_DEVICE && host.native.core_isTerminal(real);
  const { 0: rights, 1: inherits } = mostRights(type, isTerminal);
  return {
    real,
    type,
    rights,
    inherits,
    path: '',
    name: '',
    isPreopened: false,
    isOwn: false,
    position: null,
    flags: 0,
    listing: undefined,
    ...rest,
  };
}

class Descriptors {
  /** @type {(Descriptor | undefined)[]} */
  #rows = [];

  /** @param {number[]} stdio @param {string[][]} preopens [guest's path, host's path] */
  constructor(stdio, preopens) {
    for (const real of intact(stdio)) ArrayPush(this.#rows, descriptorOf(real));
    for (const { 0: name, 1: given } of intact(preopens)) {
      const path = fs.realpathSync(given, undefined);
      const real = fs.openSync(path, 'r');
      const descriptor = descriptorOf(real, { path, name, isPreopened: true, isOwn: true });
      ArrayPush(this.#rows, descriptor);
      if (descriptor.type !== TYPE.DIRECTORY) {
        this.closeAll();
        throw new Failed('NOTDIR');
      }
    }
  }

  /** The descriptor with that number; throws unless it has the rights. @param {number} number */
  get(number, rights = 0, inherits = 0) {
    const row = this.#rows[number];
    if (row === undefined) throw new Failed('BADF');
    if ((row.rights & rights) !== rights || (row.inherits & inherits) !== inherits) throw new Failed('NOTCAPABLE');
    return row;
  }

  /** @param {Descriptor} row @returns {number} its number */
  add(row) {
    let number = 0;
    while (this.#rows[number] !== undefined) number++;
    this.#rows[number] = row;
    return number;
  }

  close(number) {
    const row = this.get(number);
    this.#rows[number] = undefined;
    if (row.isOwn) fs.closeSync(row.real);
  }

  renumber(from, to) {
    const row = this.get(from);
    this.get(to);
    if (from === to) return;
    this.close(to);
    this.#rows[from] = undefined;
    this.#rows[to] = row;
  }

  closeAll() {
    for (let number = 0; number < this.#rows.length; number++) if (this.#rows[number] !== undefined) this.close(number);
  }
}

module.exports = { Descriptors, descriptorOf };
