// @ts-check
'use strict';
// Owns: reading the source text of a blob: URL for a worker.

const { ArrayJoin, ArrayMap } = require('internal/primordials');

function codeOf(url) {
  const blob = require('web/blob/object_urls').resolveObjectURL(url);
  if (blob === undefined) throw new TypeError(`Blob URL is missing: ${url}`);
  return ArrayJoin(
    ArrayMap(require('web/blob/blob').piecesOf(blob), (piece) => host.native.decodeUtf8(piece)),
    '',
  );
}

module.exports = { codeOf };
