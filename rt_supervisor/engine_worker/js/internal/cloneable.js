// @ts-check
'use strict';
// Owns: which objects besides the language's own a structured clone copies, or moves when they are in the transfer list. A file that
// makes such a class tells here how to know an instance and how to copy or move it.

const { isArrayBuffer } = require('internal/brands');
const { ArrayPush, ArrayUnshift, WeakSetAdd, WeakSetHas } = require('internal/primordials');

const kinds = []; // { isOne, clone, transfer }

/** `clone(value)` gives a copy; `transfer(value)` moves it: it gives what the other side gets. Either may be missing. */
function cloneable(isOne, clone, transfer) {
  ArrayPush(kinds, { isOne, clone, transfer });
}

/** Objects copied to other threads, too: `tell(value)` gives plain data, of which `unpack(name, { facts })` makes the copy. */
function tellable(isOne, clone, name, tell) {
  ArrayPush(kinds, { isOne, clone, name, tell });
}

/**
 * Objects that move to the other side of ports: `pack(value)` gives `{ ports, facts }`, of which `unpack(name, packed)` makes what
 * the other side gets.
 */
function movable(isOne, name, pack) {
  ArrayPush(kinds, { isOne, name, pack, transfer: (value) => unpacked(name, pack(value)) });
}

// The file with the `unpack` of each name: it may not be loaded yet where such an object arrives.
const homes = {
  __proto__: null,
  ReadableStream: 'web/streams/moved',
  WritableStream: 'web/streams/moved',
  TransformStream: 'web/streams/moved',
  AbortSignal: 'web/abort_moved',
  KeyObject: 'node/crypto/key_object',
  CryptoKey: 'web/crypto/key',
  Blob: 'web/blob/blob',
  DOMException: 'internal/dom_exception',
  QuotaExceededError: 'internal/quota_exceeded',
  FileHandle: 'node/fs/file_handle',
  BlockList: 'node/net/blocklist',
  SocketAddress: 'node/net/blocklist',
  X509Certificate: 'node/crypto/x509',
};
const unpacked = (name, packed) => require(homes[name]).unpack(name, packed);

/** Objects that cannot be cloned at all. */
function unsupported(isOne) {
  ArrayPush(kinds, { isOne, isUnsupported: true });
}

const untransferable = new WeakSet(); // objects that programs have marked (markAsUntransferable)

let uncloneable; // those of markAsUncloneable, as soon as there are any

/** Have no clone be made of `object`, nor of what holds it; array buffers do not heed it. */
function markUncloneable(object) {
  if (uncloneable === undefined) {
    uncloneable = new WeakSet();
    const marked = uncloneable;
    // Before all others: what else could be copied cannot be when it is marked.
    ArrayUnshift(kinds, { isOne: (value) => WeakSetHas(marked, value) && !isArrayBuffer(value), isUnsupported: true });
  }
  WeakSetAdd(uncloneable, object);
}

/** The kind of an object; `isOne` of each is asked of objects only. */
function kindOf(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  for (let index = 0; index < kinds.length; index++) if (kinds[index].isOne(value)) return kinds[index];
  return undefined;
}

module.exports = {
  cloneable,
  tellable,
  movable,
  unpacked,
  unsupported,
  kindOf,
  hasKinds: () => kinds.length > 0,
  untransferable,
  markUncloneable,
};
