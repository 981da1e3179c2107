// @ts-check
'use strict';
// Owns: the host's equivalents of zlib modes.

const { constants } = require('node/zlib/constants');

const GZIP_BITS = 16;
// Mode -> the host's stream kind and zlib's window bits; inflating takes them as they are.
const MODES = {
  __proto__: null,
  [constants.DEFLATE]: { kind: 'deflate', bitsOf: (bits) => bits },
  [constants.GZIP]: { kind: 'deflate', bitsOf: (bits) => bits + GZIP_BITS },
  [constants.DEFLATERAW]: { kind: 'deflate', bitsOf: (bits) => -bits },
  [constants.INFLATE]: { kind: 'inflate', bitsOf: (bits) => bits },
  [constants.GUNZIP]: { kind: 'gunzip', bitsOf: (bits) => bits },
  [constants.UNZIP]: { kind: 'unzip', bitsOf: (bits) => bits },
  [constants.INFLATERAW]: { kind: 'inflateRaw', bitsOf: (bits) => bits },
};

const hostKindOf = (mode, windowBits) => {
  const { kind, bitsOf } = MODES[mode];
  return { kind, bits: bitsOf(windowBits) };
};

module.exports = { hostKindOf };
