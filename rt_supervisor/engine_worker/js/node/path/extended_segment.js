// @ts-check
'use strict';
// Owns: matching a path segment against an extended glob in time proportional to the product of their lengths. A
// regular expression would try all ways to divide the text among groups and stars. Positions are computed from the end
// of the pattern to its start: for each node, the positions of the text from which the rest of the pattern can match.
//
// `!(a|b)rest` matches where neither `a` nor `b` followed by `rest` reaches the end of the text, and any text before
// `rest` does.

const {
  ArrayPop,
  ArrayPush,
  MapGet,
  MapSet,
  RegExpTest,
  StringCodePointAt,
  StringFromCodePoint,
  StringIncludes,
  StringSlice,
  StringToLowerCase,
  intact,
} = require('internal/primordials');

/** @typedef {{ kind: string, text?: string, test?: RegExp, alternatives?: Node[][] }} Node */

const MOST_DEPTH = 8; // of nested groups; a deeper pattern matches nothing

/** Splits the content of a group at its own bars. */
function alternativesOf(/** @type {string} */ inner) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '(') depth++;
    else if (inner[at] === ')') depth--;
    else if (inner[at] === '|' && depth === 0) {
      ArrayPush(parts, StringSlice(inner, start, at));
      start = at + 1;
    }
  }
  ArrayPush(parts, StringSlice(inner, start));
  return parts;
}

/** Returns the index of the closing parenthesis for each opening one; 0 for others. */
function closings(/** @type {string} */ text) {
  const positions = new Int32Array(text.length);
  /** @type {number[]} */
  const open = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') ArrayPush(open, at);
    else if (text[at] === ')' && open.length > 0) positions[/** @type {number} */ (ArrayPop(open))] = at;
  }
  return positions;
}

/**
 * Parses a segment. `classAt(text, at)` returns [end, source] of a bracket expression, whose regular expression gets `flags`.
 * Returns undefined for a pattern that is nested too deeply.
 */
function parse(text, { classAt, flags }, depth = 0) {
  if (depth > MOST_DEPTH) return undefined;
  const ends = closings(text);
  /** @type {Node[]} */
  const nodes = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    const end = StringIncludes('?*+@!', character) && text[at + 1] === '(' ? ends[at + 1] : 0;
    if (end > 0) {
      const alternatives = [];
      for (const part of intact(alternativesOf(StringSlice(text, at + 2, end)))) {
        const nested = parse(part, { classAt, flags }, depth + 1);
        if (nested === undefined) return undefined;
        ArrayPush(alternatives, nested);
      }
      ArrayPush(nodes, { kind: `${character}(`, alternatives });
      at = end;
      continue;
    }
    const characterClass = character === '[' ? classAt(text, at) : undefined;
    if (characterClass !== undefined) {
      ArrayPush(nodes, { kind: 'class', test: new RegExp(`^${characterClass[1]}$`, flags) });
      at = characterClass[0];
    } else if (character === '*') {
      while (text[at + 1] === '*' && text[at + 2] !== '(') at++;
      ArrayPush(nodes, { kind: 'star' });
    } else if (character === '?') ArrayPush(nodes, { kind: 'any' });
    else {
      const whole = StringFromCodePoint(/** @type {number} */ (StringCodePointAt(text, at)));
      at += whole.length - 1;
      ArrayPush(nodes, { kind: 'text', text: whole });
    }
  }
  return nodes;
}

/** One match of a text: sets of positions are arrays with a 1 for each member. */
class Match {
  #characters;
  #isCaseless;
  #end;
  /** The positions before each node of a sequence that is followed by the end of the text. */
  #toEnd = new Map();
  #exclusions = new Map();

  constructor(text, isCaseless) {
    this.#isCaseless = isCaseless;
    this.#characters = [...intact(isCaseless ? StringToLowerCase(text) : text)];
    this.#end = this.#none();
    this.#end[this.#characters.length] = 1;
  }

  isWhole(nodes) {
    return this.#chainToEnd(nodes)[0][0] === 1;
  }

  #none() {
    return new Uint8Array(this.#characters.length + 1);
  }

  #chainToEnd(nodes) {
    const existing = MapGet(this.#toEnd, nodes);
    if (existing !== undefined) return existing;
    const chain = this.#chain(nodes, this.#end);
    MapSet(this.#toEnd, nodes, chain);
    return chain;
  }

  /** Returns, for each node and for the end of the sequence, the positions from which it can reach `targets`. */
  #chain(nodes, targets) {
    const chain = [];
    chain[nodes.length] = targets;
    for (let index = nodes.length - 1; index >= 0; index--) chain[index] = this.#before(nodes, index, chain[index + 1], targets);
    return chain;
  }

  #before(nodes, index, following, targets) {
    const { kind, text, test, alternatives } = nodes[index];
    switch (kind) {
      case 'star':
        return this.#anyText(following);
      case '@(':
        return this.#oneOf(alternatives, following);
      case '?(':
        return join(this.#oneOf(alternatives, following), following);
      case '+(':
        return this.#repeat(alternatives, following);
      case '*(':
        return join(this.#repeat(alternatives, following), following);
      case '!(': {
        const rest = targets === this.#end ? following : this.#chainToEnd(nodes)[index + 1];
        let exclusions = MapGet(this.#exclusions, nodes[index]);
        if (exclusions === undefined) MapSet(this.#exclusions, nodes[index], (exclusions = this.#oneOf(alternatives, rest)));
        const matches = this.#anyText(following);
        for (let at = 0; at < matches.length; at++) if (exclusions[at] === 1) matches[at] = 0;
        return matches;
      }
      default: {
        const literal = this.#isCaseless && text !== undefined ? StringToLowerCase(text) : text;
        const matches = this.#none();
        for (let at = 0; at < this.#characters.length; at++) {
          const character = this.#characters[at];
          const fits = kind === 'any' || (kind === 'class' ? RegExpTest(test, character) : character === literal);
          if (fits && following[at + 1] === 1) matches[at] = 1;
        }
        return matches;
      }
    }
  }

  #anyText(following) {
    const matches = this.#none();
    let isReachable = 0;
    for (let at = following.length - 1; at >= 0; at--) matches[at] = isReachable |= following[at];
    return matches;
  }

  #oneOf(alternatives, targets) {
    let matches = this.#none();
    for (let index = 0; index < alternatives.length; index++)
      matches = join(this.#chain(alternatives[index], targets)[0], matches);
    return matches;
  }

  #repeat(alternatives, following) {
    let matches = this.#oneOf(alternatives, following);
    for (;;) {
      const more = join(this.#oneOf(alternatives, join(matches, following)), matches);
      if (isSame(more, matches)) return matches;
      matches = more;
    }
  }
}

function join(one, other) {
  const both = new Uint8Array(one.length);
  for (let at = 0; at < one.length; at++) both[at] = one[at] | other[at];
  return both;
}

function isSame(one, other) {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

module.exports = { parse, matches: (nodes, text, isCaseless) => new Match(text, isCaseless).isWhole(nodes) };
