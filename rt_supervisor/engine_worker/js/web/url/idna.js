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
// The block of the lookahead was assigned after the engine's version of Unicode.
const DISALLOWED =
  /(?![\u{323b0}-\u{33479}])[\p{Cc}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u200e\u200f\u202a-\u202e\u2065-\u206f\u2ff0-\u2fff\ufff9-\ufffd\u{110bd}\u{110cd}\u{e0001}-\u{e007f}]/u;
const LEADING_MARK = /^\p{M}/u;
// Marks and the extended Arabic-Indic digits lie in those ranges without a direction.
const RIGHT_TO_LEFT = /(?![\p{M}\u06f0-\u06f9])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const JOINERS = /[\u200c\u200d]/;
// Marks that a joiner may follow: the viramas.
const VIRAMA =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{113ce}-\u{113d0}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}\u{11f41}\u{11f42}\u{1612f}]$/u;
// A non-joiner is also allowed between letters that would join: after one that joins to the left, before one that joins to the
// right. Arabic letters join on both sides, except those of the first class, which join to the right only.
const RIGHT_JOINING =
  '[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0710\u0715-\u0719\u071e\u0728\u072a\u072c\u072f]';
const NOT_JOINING = '[\u0621\u0674\\P{L}]';
const JOINING = '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}]';
const JOINS_LEFT = new RegExp(`(?!${RIGHT_JOINING}|${NOT_JOINING})${JOINING}\\p{Mn}*$`, 'u');
const JOINS_RIGHT = new RegExp(`^\\p{Mn}*(?!${NOT_JOINING})${JOINING}`, 'u');

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
    const isBetween = RegExpTest(JOINS_LEFT, StringSlice(label, 0, i)) && RegExpTest(JOINS_RIGHT, StringSlice(label, i + 1));
    if (code === 0x200c && isBetween) continue;
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
    if (
      decoded === '' ||
      RegExpTest(ASCII_ONLY, decoded) ||
      StringStartsWith(decoded, 'xn--') ||
      map(decoded) !== decoded ||
      !isValidLabel(decoded)
    )
      return null;
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
