// @ts-check
'use strict';
// Owns: the registry of platform objects that structured cloning copies, or transfers if they are in the transfer list. A file
// that defines such a class registers here how to recognise an instance and how to copy or transfer it.

const { isArrayBuffer } = require('internal/brands');
const { ArrayPush, ArrayUnshift, WeakSetAdd, WeakSetHas } = require('internal/primordials');

const kinds = []; // { isOne, clone, transfer }

/**
 * Registers a class: `clone(value)` returns a copy; `transfer(value)` detaches the value and returns what the receiver gets.
 * Either may be missing.
 */
function registerCloneable(isOne, clone, transfer) {
  ArrayPush(kinds, { isOne, clone, transfer });
}

/**
 * Registers objects that can also be copied to other threads: `serialize(value)` returns plain data, from which `unpack(name, {
 * facts })` makes the copy.
 */
function registerSerializable(isOne, clone, name, serialize) {
  ArrayPush(kinds, { isOne, clone, name, serialize });
}

/**
 * Registers objects that are transferred through ports: `pack(value)` returns `{ ports, facts }`, from which `unpack(name,
 * packed)` makes the object on the other side.
 */
function registerTransferable(isOne, name, pack) {
  ArrayPush(kinds, { isOne, name, pack, transfer: (value) => unpackObject(name, pack(value)) });
}

// The file that has `unpack` for each name, because it may not be loaded yet where such an object arrives.
const homes = {
  __proto__: null,
  ReadableStream: 'web/streams/transfer',
  WritableStream: 'web/streams/transfer',
  TransformStream: 'web/streams/transfer',
  AbortSignal: 'web/abort_transfer',
  KeyObject: 'node/crypto/key_object',
  CryptoKey: 'web/crypto/key',
  Blob: 'web/blob/blob',
  DOMException: 'internal/dom_exception',
  QuotaExceededError: 'internal/quota_exceeded',
  FileHandle: 'node/fs/file_handle',
  BlockList: 'node/net/blocklist',
  SocketAddress: 'node/net/blocklist',
  X509Certificate: 'node/crypto/x509',
  ProcessEnv: 'node/process/environment',
};
const unpackObject = (name, packed) => require(homes[name]).unpack(name, packed);

/** Registers objects that cannot be cloned. */
function registerUncloneable(isOne) {
  ArrayPush(kinds, { isOne, isUnsupported: true });
}

const untransferable = new WeakSet(); // objects that the program passed to markAsUntransferable

let uncloneable; // objects passed to markAsUncloneable; created with the first

/** Prevents clones of `object` and of anything that contains it. Array buffers ignore the mark. */
function markUncloneable(object) {
  if (uncloneable === undefined) {
    uncloneable = new WeakSet();
    const marked = uncloneable;
    // First in the list: the mark takes precedence over any other kind.
    ArrayUnshift(kinds, { isOne: (value) => WeakSetHas(marked, value) && !isArrayBuffer(value), isUnsupported: true });
  }
  WeakSetAdd(uncloneable, object);
}

/** Returns the kind of an object. `isOne` is called with objects only. */
function kindOf(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  for (let index = 0; index < kinds.length; index++) if (kinds[index].isOne(value)) return kinds[index];
  return undefined;
}

module.exports = {
  registerCloneable,
  registerSerializable,
  registerTransferable,
  unpackObject,
  registerUncloneable,
  kindOf,
  hasKinds: () => kinds.length > 0,
  untransferable,
  markUncloneable,
};
