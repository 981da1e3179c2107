// @ts-check
'use strict';
// Owns: the bytes of a blob for what works at once: those that are in memory; a file's would have to be waited for.

function bytesOfBlob(value) {
  if (value === null || typeof value !== 'object') return undefined;
  if (value instanceof require('rt/files/file').RTFile) throw new TypeError('File blob cannot be used here');
  const { isBlob, bytesAtHand } = require('web/blob/blob');
  return isBlob(value) ? bytesAtHand(value) : undefined;
}

module.exports = { bytesOfBlob };
