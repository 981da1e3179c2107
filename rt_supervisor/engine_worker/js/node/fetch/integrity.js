// @ts-check
'use strict';
// Owns: the `integrity` option: the hashes of which a response must match one; only those of the strongest algorithm count.

const {
  ArrayFilter,
  ArrayPush,
  ArraySome,
  RegExpExec,
  RegExpReplace,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { RegExpSplit } = require('internal/patterns');
const builtins = require('node/module/builtins');

const STRENGTH = { __proto__: null, sha256: 1, sha384: 2, sha512: 3 };

/** [{ kind, digest }]: empty if the text has no hash of a known algorithm. */
function wantedOf(text) {
  const all = [];
  let best = 0;
  for (const word of intact(RegExpSplit(/[\t\n\f\r ]+/, text))) {
    const match = RegExpExec(/^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?$/i, word);
    if (match === null) continue;
    const kind = StringToLowerCase(match[1]);
    if (STRENGTH[kind] > best) best = STRENGTH[kind];
    ArrayPush(all, { kind, digest: plain(match[2]) });
  }
  return ArrayFilter(all, ({ kind }) => STRENGTH[kind] === best);
}
/** Normalises base64 of either alphabet, without padding. */
const plain = (text) => RegExpReplace(/=+$/, RegExpReplace(/_/g, RegExpReplace(/-/g, text, '+'), '/'), '');

function fits(bytes, hashes) {
  const crypto = builtins.load('crypto');
  return ArraySome(hashes, ({ kind, digest }) => plain(crypto.createHash(kind).update(bytes).digest('base64')) === digest);
}

module.exports = { wantedOf, fits };
