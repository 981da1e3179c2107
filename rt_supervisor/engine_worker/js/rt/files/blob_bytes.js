// @ts-check
'use strict';
// Owns: synchronous access to a blob's bytes, which is possible for bytes in memory but not for files.

function bytesOfBlob(value) {
  if (value === null || typeof value !== 'object') return undefined;
  if (value instanceof require('rt/files/file').RTFile) throw new TypeError('File blob cannot be used here');
  const { isBlob, bytesAtHand } = require('web/blob/blob');
  return isBlob(value) ? bytesAtHand(value) : undefined;
}

module.exports = { bytesOfBlob };
