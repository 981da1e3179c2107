// @ts-check
'use strict';
// Owns: bytes of the host or of a program as a Buffer over the same memory.

const { Buffer } = require('node/buffer/buffer');

/** A Buffer over the memory of `bytes`; a Buffer itself is given back. */
const asBuffer = (bytes) => (bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));

module.exports = { asBuffer };
