// @ts-check
'use strict';
// Owns: objects that are Blobs to a program without being made by Blob: files of RT. Their prototype is registered here, and a method
// of theirs gives the Blob that they stand for, so that neither file has to be loaded with the other.

const { ArrayForEach, ArrayPush, ObjectSetPrototypeOf } = require('internal/primordials');

/** The method of such an object that gives a Blob of its bytes. */
const kAsBlob = Symbol('as blob');

const waiting = []; // prototypes
let parent; // Blob.prototype, once there is one

function beBlobs(prototype) {
  if (parent === undefined) ArrayPush(waiting, prototype);
  else ObjectSetPrototypeOf(prototype, parent);
}

function blobIsMade(prototype) {
  parent = prototype;
  ArrayForEach(waiting, beBlobs);
}

const isKin = (value) => typeof value === 'object' && value !== null && typeof value[kAsBlob] === 'function';

module.exports = { kAsBlob, beBlobs, blobIsMade, isKin };
