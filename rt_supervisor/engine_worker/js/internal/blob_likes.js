// @ts-check
'use strict';
// Owns: objects that behave as Blobs without being constructed by Blob: files of RT. Their prototype is registered here, and a
// method of theirs returns the Blob that they represent, so that neither file loads the other.

const { ArrayForEach, ArrayPush, ObjectSetPrototypeOf } = require('internal/primordials');

/** The key of the method that returns a Blob with the object's bytes. */
const kAsBlob = Symbol('as blob');

const waiting = []; // prototypes registered before Blob exists
let parent; // Blob.prototype, once it exists

function beBlobs(prototype) {
  if (parent === undefined) ArrayPush(waiting, prototype);
  else ObjectSetPrototypeOf(prototype, parent);
}

function blobIsMade(prototype) {
  parent = prototype;
  ArrayForEach(waiting, beBlobs);
}

const isBlobLike = (value) => typeof value === 'object' && value !== null && typeof value[kAsBlob] === 'function';

module.exports = { kAsBlob, beBlobs, blobIsMade, isBlobLike };
