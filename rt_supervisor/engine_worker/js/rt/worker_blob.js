'use strict';
// Owns: the source text behind a blob: URL, for workers made of it.

function codeOf(url) {
  const blob = require('web/blob/object_urls').resolveObjectURL(url);
  if (blob === undefined) throw new TypeError(`Blob URL is missing: ${url}`);
  return require('web/blob/blob')
    .piecesOf(blob)
    .map((piece) => host.native.decodeUtf8(piece))
    .join('');
}

module.exports = { codeOf };
