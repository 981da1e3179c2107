// @ts-check
'use strict';
// Owns: bytes of the host or the program as a Buffer over the same memory.

const { Buffer } = require('node/buffer/buffer');
const { FastBuffer } = require('node/buffer/memory');

/** A Buffer over the memory of `bytes`; a Buffer is returned as is. */
const asBuffer = (bytes) => (bytes instanceof Buffer ? bytes : new FastBuffer(bytes.buffer, bytes.byteOffset, bytes.byteLength));

module.exports = { asBuffer };
