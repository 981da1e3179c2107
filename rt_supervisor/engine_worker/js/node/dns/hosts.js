// @ts-check
'use strict';
// Owns: the names that /etc/hosts gives an address, for reverse lookups, which consult the file before any server.

const { ArrayJoin, ArrayPush, ArraySlice, RegExpReplace, StringSplit, StringTrim, intact } = require('internal/primordials');
const { RegExpSplit } = require('internal/patterns');
const { groupsOf, isIP, isIPv4 } = require('node/net/address');

const PATH = '/etc/hosts';

/** A form in which equal addresses are equal. */
const canonical = (address) => (isIPv4(address) ? address : ArrayJoin(groupsOf(StringSplit(address, '%')[0]) ?? [], ':'));

/** Returns the names of `address`, the canonical one first; none if the file cannot be read. */
function namesOf(address) {
  let text;
  try {
    text = require('node/fs/sync').readFileSync(PATH, 'latin1');
  } catch {
    return [];
  }
  const names = [];
  const wanted = canonical(address);
  for (const line of intact(StringSplit(text, '\n'))) {
    const words = RegExpSplit(/\s+/, StringTrim(RegExpReplace(/#.*/, line, '')));
    if (isIP(words[0]) !== 0 && canonical(words[0]) === wanted) ArrayPush(names, ...intact(ArraySlice(words, 1)));
  }
  return names;
}

module.exports = { namesOf };
