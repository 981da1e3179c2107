// @ts-check
'use strict';
// Owns: the source text behind a blob: URL, for workers made of it.

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
