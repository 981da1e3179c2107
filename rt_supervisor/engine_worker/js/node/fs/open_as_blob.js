// @ts-check
'use strict';
// Owns: fs.openAsBlob: a Blob whose bytes stay in the file until they are read. Reading fails once the file has changed.

const { MathMin } = require('internal/primordials');
const { PromiseReject, PromiseResolve } = require('internal/promises');
const { validateObject, validateString } = require('internal/validators');

/** A range of a file with the interface of a Blob part: `length`, `subarray` (a narrower range) and `slice` (bytes). */
class FilePiece {
  #path;
  #start;
  #identity;

  constructor(path, start, length, identity) {
    this.#path = path;
    this.#start = start;
    this.length = length;
    this.#identity = identity;
  }

  subarray(from, to) {
    return new FilePiece(this.#path, this.#start + from, to - from, this.#identity);
  }

  slice(from = 0, to = this.length) {
    const fs = require('node/fs/fs');
    const length = MathMin(to, this.length) - from;
    const bytes = new Uint8Array(length);
    let descriptor;
    try {
      descriptor = fs.openSync(this.#path);
      if (identityOf(fs.fstatSync(descriptor, { bigint: true })) !== this.#identity) throw unreadable();
      for (let place = 0; place < length;) {
        const count = fs.readSync(descriptor, bytes, place, length - place, this.#start + from + place);
        if (count === 0) throw unreadable();
        place += count;
      }
    } catch {
      throw unreadable();
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
    return bytes;
  }
}

const identityOf = ({ size, mtimeNs, ino }) => `${size} ${mtimeNs} ${ino}`;

function unreadable() {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException('The blob could not be read', 'NotReadableError');
}

function open(path, options) {
  validateObject(options, 'options');
  const { type = '' } = options;
  validateString(type, 'options.type');
  const fs = require('node/fs/fs');
  const stats = fs.statSync(path, { bigint: true });
  const { blobOf } = require('web/blob/blob');
  const place = Buffer.isBuffer(path) ? Buffer.from(path) : path;
  return blobOf(new FilePiece(place, 0, Number(stats.size), identityOf(stats)), type);
}

const { Buffer } = require('node/buffer/buffer');

function openAsBlobSync(path, options = {}) {
  return open(path, options);
}

function openAsBlob(path, options = {}) {
  try {
    return PromiseResolve(open(path, options));
  } catch (error) {
    if (error?.syscall === undefined) throw error;
    return PromiseReject(error);
  }
}

module.exports = { openAsBlob, openAsBlobSync };
