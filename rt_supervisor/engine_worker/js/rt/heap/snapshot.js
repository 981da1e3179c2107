// @ts-check
'use strict';
// Owns: RT.generateHeapSnapshot: a heap snapshot in V8's format, which Chrome DevTools opens.

const { ArrayJoin } = require('internal/primordials');

const native = host.native;

/** Returns the snapshot as JSON text or, with `encoding` 'arraybuffer', as its UTF-8 bytes. Only 'v8' is supported. */
function generateHeapSnapshot(format = 'jsc', encoding = undefined) {
  if (format !== 'v8' && format !== 'jsc') throw new TypeError("Expected 'v8' or 'jsc' or undefined");
  if (format === 'jsc')
    throw new (require('internal/errors/errors').codes.ERR_NOT_IMPLEMENTED)('RT', "generateHeapSnapshot('jsc')");
  const text = ArrayJoin(require('node/v8/diagnostics').snapshotPieces(), '');
  return encoding === 'arraybuffer' ? native.encodeUtf8(text).buffer : text;
}

module.exports = { generateHeapSnapshot };
