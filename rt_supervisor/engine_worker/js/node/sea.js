// @ts-check
'use strict';
// Owns: node:sea. rt does not build single executable applications, so isSea() is false and there are no assets.

const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');

function refuse() {
  throw new codes.ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION();
}

const isSea = () => false;

function getAsset(key, encoding) {
  if (encoding !== undefined) validateString(encoding, 'encoding');
  validateString(key, 'key');
  refuse();
}

function getRawAsset(key) {
  validateString(key, 'key');
  refuse();
}

/** `options` are those of Blob. */
function getAssetAsBlob(key, options) {
  validateString(key, 'key');
  void options;
  refuse();
}

function getAssetKeys() {
  refuse();
}

module.exports = { isSea, getAsset, getRawAsset, getAssetAsBlob, getAssetKeys };
