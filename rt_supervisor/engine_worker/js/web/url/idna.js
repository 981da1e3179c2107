// @ts-check
'use strict';
// Owns: internationalized domain names for the URL standard (UTS #46, nontransitional), without tables: the mapping uses the
// engine's NFKC, case mapping and Unicode properties. Limitations: characters that UTS #46 disallows individually are accepted
// if their general category is allowed, and only the core of the Bidi rule is checked.

const {
  ArrayFrom,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringIncludes,
  StringNormalize,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const punycode = require('internal/punycode');

const ASCII_ONLY = /^[\x00-\x7f]*$/;
const DOTS = /[\u3002\uff0e\uff61]/g;
// Mapped to nothing: soft hyphen, joiner marks, variation selectors, byte order mark.
const IGNORED =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2064\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0100}-\u{e01ef}]/gu;
// Disallowed before mapping: NFKC would turn the first into a space, and the others into full stops that are not separators.
const NOT_MAPPED = /[\u1680\u2024-\u2026\u2488-\u249b\ufe12\ufe19\ufe30\ufe52]/;
const DISALLOWED =
  /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u061c\u06dd\u070f\u200e\u200f\u202a-\u202e\u2065-\u206f\u2ff0-\u2fff\ufff9-\ufffd\u{e0001}-\u{e007f}]/u;
const LEADING_MARK = /^\p{M}/u;
// Marks and the extended Arabic-Indic digits lie in those ranges without a direction.
const RIGHT_TO_LEFT = /(?![\p{M}\u06f0-\u06f9])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const JOINERS = /[\u200c\u200d]/;
// Marks that a joiner may follow: the viramas.
const VIRAMA =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed]$/u;

// Lower case, except the final sigma, whose form depends on its neighbours: a text with a sigma is mapped by single characters.
const fold = (text) =>
  StringIncludes(text, '\u03a3')
    ? ArrayJoin(
        ArrayFrom(intact(text), (character) => StringToLowerCase(character)),
        '',
      )
    : StringToLowerCase(text);

function map(domain) {
  const text = RegExpReplace(IGNORED, RegExpReplace(DOTS, domain, '.'), '');
  return RegExpReplace(IGNORED, RegExpReplace(DOTS, StringNormalize(fold(StringNormalize(fold(text), 'NFKC')), 'NFKC'), '.'), '');
}

function isValidLabel(label) {
  if (label !== StringNormalize(label, 'NFC') || RegExpTest(DISALLOWED, label) || RegExpTest(LEADING_MARK, label)) return false;
  if (RegExpTest(JOINERS, label) && !areJoinersValid(label)) return false;
  return !RegExpTest(RIGHT_TO_LEFT, label) || isBidiValid(label);
}

function areJoinersValid(label) {
  for (let i = 0; i < label.length; i++) {
    const code = StringCharCodeAt(label, i);
    if (code !== 0x200c && code !== 0x200d) continue;
    if (RegExpTest(VIRAMA, StringSlice(label, 0, i))) continue;
    // A non-joiner is also allowed between letters that would join.
    const joins = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;
    if (code === 0x200c && RegExpTest(joins, StringSlice(label, 0, i)) && RegExpTest(joins, StringSlice(label, i + 1))) continue;
    return false;
  }
  return true;
}

/** A right-to-left label contains no left-to-right letters and starts with a letter of its direction. */
function isBidiValid(label) {
  const letters = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
  return RegExpTest(RIGHT_TO_LEFT, ArrayFrom(intact(label))[0]) && !RegExpTest(letters, label);
}

/** Returns the ASCII form, or null if the name is invalid. */
function toASCII(domain) {
  if (RegExpTest(ASCII_ONLY, domain)) {
    domain = StringToLowerCase(domain);
    if (!StringIncludes(domain, 'xn--')) return domain;
  } else {
    if (RegExpTest(NOT_MAPPED, domain)) return null;
    domain = map(domain);
  }
  const labels = [];
  for (let index = 0, list = StringSplit(domain, '.'); index < list.length; index++) {
    const label = list[index];
    if (StringStartsWith(label, 'xn--')) {
      const decoded = decodeLabel(label);
      if (decoded === null) return null;
      ArrayPush(labels, label);
    } else if (RegExpTest(ASCII_ONLY, label)) {
      ArrayPush(labels, label);
    } else {
      if (!isValidLabel(label)) return null;
      try {
        ArrayPush(labels, `xn--${punycode.encode(label)}`);
      } catch {
        return null;
      }
    }
  }
  return ArrayJoin(labels, '.');
}

function decodeLabel(label) {
  try {
    if (!RegExpTest(ASCII_ONLY, label)) return null;
    const decoded = punycode.decode(StringSlice(label, 4));
    if (decoded === '' || RegExpTest(ASCII_ONLY, decoded) || map(decoded) !== decoded || !isValidLabel(decoded)) return null;
    return decoded;
  } catch {
    return null;
  }
}

/** Returns the Unicode form; labels that cannot be decoded are unchanged. */
function toUnicode(domain) {
  return ArrayJoin(
    ArrayMap(StringSplit(map(domain), '.'), (label) => (StringStartsWith(label, 'xn--') ? (decodeLabel(label) ?? label) : label)),
    '.',
  );
}

module.exports = { toASCII, toUnicode };
