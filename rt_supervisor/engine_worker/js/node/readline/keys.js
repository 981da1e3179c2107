'use strict';
// Owns: decoding of terminal input to keys, and 'keypress' events. An escape sequence is buffered until it is complete; a
// lone escape becomes a key after a timeout.

const { AnyAt, AnySlice } = require('internal/any_kind');
const {
  ArrayForEach,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringFromCharCode,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const ESCAPE = '\x1b';
const kDecoder = Symbol('keypress-decoder');
const ESCAPE_TIMEOUT_MS = 500;

// code -> name: what follows the escape, without its modifier
const NAMES = { __proto__: null };
const name = (codes, key) => {
  for (const code of intact(StringSplit(codes, ' '))) NAMES[code] = key;
};
ArrayForEach(['P', 'Q', 'R', 'S'], (letter, index) => name(`[${letter} O${letter}`, `f${index + 1}`));
ArrayForEach(['A', 'B', 'C', 'D', 'E'], (letter, index) => name(`[[${letter}`, `f${index + 1}`));
ArrayForEach([11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24], (number, index) => name(`[${number}~`, `f${index + 1}`));
name('[A OA [a Oa', 'up');
name('[B OB [b Ob', 'down');
name('[C OC [c Oc', 'right');
name('[D OD [d Od', 'left');
name('[E OE [e Oe', 'clear');
name('[F OF [4~ [8~ [8$ [8^', 'end');
name('[H OH [1~ [7~ [7$ [7^', 'home');
name('[2~ [2$ [2^', 'insert');
name('[3~ [3$ [3^', 'delete');
name('[5~ [[5~ [5$ [5^', 'pageup');
name('[6~ [[6~ [6$ [6^', 'pagedown');
name('[200~', 'paste-start');
name('[201~', 'paste-end');
name('[Z', 'tab');
const SHIFTED = /^\[(?:[a-e]|\d\$|Z)$/; // rxvt encodes modifiers in the last character
const CONTROLLED = /^(?:O[a-e]|\[\d\^)$/;

// After one or two escapes: O with a digit and a letter; [ with up to three digits, a modifier and a letter.
const WHOLE =
  /^\x1b{1,2}(?:[^\x1b[O]|O(?:\D|\d.)|\[\[?(?:\d{0,2}[^\d;[]|\d{1,2}\[|\d{3}[^;]|\d{0,3};(?:\D|\d.)))$|^\x1b\x1b\x1b$/su;
const NUMBERED = /^(?:(\d\d?)(?:;(\d))?([~^$])|(\d{3}~))$/;
const LETTERED = /^(?:(?:\d;)?(\d))?([A-Za-z])$/;

/** The code and the modifier number of a control sequence without its escapes. */
function parse(sequence) {
  if (sequence[0] === 'O') {
    const isModified = sequence.length > 2;
    return [`O${AnyAt(sequence, -1)}`, isModified ? Number(sequence[1]) - 1 : 0];
  }
  const prefix = StringStartsWith(sequence, '[[') ? '[[' : '[';
  const rest = AnySlice(sequence, prefix.length);
  const numbered = RegExpExec(NUMBERED, rest);
  if (numbered !== null) {
    return numbered[4] ? [prefix + numbered[4], 0] : [prefix + numbered[1] + numbered[3], (numbered[2] || 1) - 1];
  }
  const lettered = RegExpExec(LETTERED, rest);
  return lettered === null ? [prefix + rest, 0] : [prefix + lettered[2], (lettered[1] || 1) - 1];
}

const PLAIN = {
  __proto__: null,
  '\r': 'return',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
  [ESCAPE]: 'escape',
  ' ': 'space',
};

/** Decodes one complete sequence. */
function keyOf(sequence) {
  const key = { sequence, name: undefined, ctrl: false, meta: false, shift: false };
  const isEscaped = sequence[0] === ESCAPE;
  const rest = isEscaped ? RegExpReplace(/^\x1b{1,2}(?=.)/su, sequence, '') : sequence;
  if (isEscaped && (rest[0] === '[' || rest[0] === 'O') && rest.length > 1) {
    const [code, modifier] = intact(parse(rest));
    key.ctrl = Boolean(modifier & 4) || RegExpTest(CONTROLLED, code);
    key.meta = Boolean(modifier & 10);
    key.shift = Boolean(modifier & 1) || RegExpTest(SHIFTED, code);
    key.code = code;
    key.name = NAMES[code] ?? 'undefined';
    return key;
  }
  const isAlone = isEscaped && (sequence === ESCAPE || sequence === ESCAPE + ESCAPE);
  if (isAlone) {
    key.name = 'escape';
    key.meta = true;
  } else if (rest in PLAIN) {
    key.name = PLAIN[rest];
    key.meta = isEscaped;
  } else if (!isEscaped && rest <= '\x1a') {
    key.name = StringFromCharCode(StringCharCodeAt(rest, 0) + 96);
    key.ctrl = true;
  } else if (RegExpTest(/^[0-9A-Za-z]$/, rest)) {
    key.name = StringToLowerCase(rest);
    key.shift = RegExpTest(/^[A-Z]$/, rest);
    key.meta = isEscaped;
  } else if (isEscaped) {
    key.meta = true;
  }
  return key;
}

class KeyDecoder {
  #emit;
  #pending = '';

  constructor(emit) {
    this.#emit = emit;
  }

  feed(character) {
    const sequence = this.#pending + character;
    if (sequence[0] === ESCAPE && !RegExpTest(WHOLE, sequence)) {
      this.#pending = sequence;
      return;
    }
    this.#emitKey(sequence);
  }
  /** No further input arrived: the buffered characters are a key. */
  flush() {
    if (this.#pending !== '') this.#emitKey(this.#pending);
  }

  #emitKey(sequence) {
    this.#pending = '';
    const isEscaped = sequence[0] === ESCAPE;
    this.#emit(isEscaped ? undefined : sequence, keyOf(sequence));
  }
}

/** Makes a stream emit 'keypress' with (text, key) while it has a listener for it. */
function emitKeypressEvents(stream, rl = {}) {
  if (stream[kDecoder]) return;
  const { StringDecoder } = require('node/string_decoder');
  const text = (stream[kDecoder] = new StringDecoder('utf8'));
  const keys = new KeyDecoder((character, key) => stream.emit('keypress', character, key));
  let timer;

  function onData(input) {
    if (stream.listenerCount('keypress') === 0) {
      stream.removeListener('data', onData);
      stream.on('newListener', onNewListener);
      return;
    }
    const characters = [...intact(text.write(input))];
    if (characters.length === 0) return;
    clearTimeout(timer);
    ArrayForEach(characters, (character, index) => {
      const isLast = index === characters.length - 1;
      rl.isCompletionEnabled = isLast; // a tab in pasted text is text
      keys.feed(character);
      if (isLast && character === ESCAPE) timer = setTimeout(() => keys.flush(), rl.escapeCodeTimeout ?? ESCAPE_TIMEOUT_MS);
    });
  }
  function onNewListener(event) {
    if (event !== 'keypress') return;
    stream.on('data', onData);
    stream.removeListener('newListener', onNewListener);
  }
  if (stream.listenerCount('keypress') > 0) stream.on('data', onData);
  else stream.on('newListener', onNewListener);
}

const { clearTimeout, setTimeout } = require('internal/timers');

module.exports = { emitKeypressEvents, KeyDecoder };
