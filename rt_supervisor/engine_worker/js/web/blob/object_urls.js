// @ts-check
'use strict';
// Owns: object URLs: URL.createObjectURL, revokeObjectURL, and their lookup.

const { MapDelete, MapGet, MapSet } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { asBlob } = require('web/blob/blob');

const PREFIX = 'blob:nodedata:';
const blobs = new Map();

function createObjectURL(obj) {
  const blob = asBlob(obj);
  if (blob === undefined) throw new codes.ERR_INVALID_ARG_TYPE('obj', 'Blob', obj);
  const url = `${PREFIX}${require('internal/crypto/random').randomUUID()}`;
  MapSet(blobs, url, blob);
  return url;
}

function revokeObjectURL(url) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
  MapDelete(blobs, `${url}`);
}

/** Returns the Blob of an object URL, or undefined. */
function resolveObjectURL(url) {
  return MapGet(blobs, `${url}`);
}

module.exports = { createObjectURL, revokeObjectURL, resolveObjectURL };
