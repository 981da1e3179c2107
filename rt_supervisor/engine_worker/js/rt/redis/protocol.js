'use strict';
// Owns: the Redis protocol (RESP 2 and 3): encoding commands, and decoding replies from chunks of any size.

const {
  ArrayPush,
  FunctionCall,
  NumberParseInt,
  ObjectDefineProperty,
  RegExpTest,
  StringFromCharCode,
  StringSlice,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');

const ASCII = /^[\0-\x7f]*$/;
const CR = 13;
const PLUS = 43;
const MINUS = 45;
const ZERO = 48;
const MOST_DEPTH = 128;
const INCOMPLETE = Symbol('incomplete');

/** An error reported by the server or the connection. */
class RedisError extends Error {
  constructor(code, message, cause = undefined) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
ObjectDefineProperty(RedisError.prototype, 'name', {
  __proto__: null,
  value: 'RedisError',
  writable: true,
  configurable: true,
  enumerable: false,
});

const sizeOf = (text) => (RegExpTest(ASCII, text) ? text.length : Buffer.byteLength(text));

/** Encodes a command of strings and bytes: returns a string, or a list of strings and bytes. */
function encode(words) {
  let text = `*${words.length}\r\n`;
  let parts;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (typeof word === 'string') text += `$${sizeOf(word)}\r\n${word}\r\n`;
    else {
      parts ??= [];
      ArrayPush(parts, `${text}$${word.byteLength}\r\n`);
      ArrayPush(parts, word);
      text = '\r\n';
    }
  }
  if (parts === undefined) return text;
  ArrayPush(parts, text);
  return parts;
}

/** A push message of RESP 3. */
class Push {
  constructor(items) {
    this.items = items;
  }
}

class ReplyReader {
  #bytes = new Uint8Array(0);
  #place = 0;
  #more = []; // chunks that have not been joined
  #size = 0; // their total size
  #needs = 1; // the number of bytes required before the next reply can be complete
  #asBytes = false;

  /** `wantsBytes()` returns whether the next reply is to contain bytes instead of strings; `take(reply)` receives each reply. */
  constructor(wantsBytes, take) {
    this.wantsBytes = wantsBytes;
    this.take = take;
  }

  push(piece) {
    ArrayPush(this.#more, piece);
    this.#size += piece.length;
    if (this.#size < this.#needs) return;
    this.#join();
    while (this.#place < this.#bytes.length) {
      const start = this.#place;
      this.#asBytes = this.wantsBytes();
      this.#needs = 0;
      const reply = this.#read(0);
      if (reply === INCOMPLETE) {
        this.#place = start;
        break;
      }
      this.take(reply);
    }
    this.#bytes = TypedArraySubarray(this.#bytes, this.#place);
    this.#size = this.#bytes.length;
    this.#needs = this.#needs > this.#place ? this.#needs - this.#place : this.#size + 1;
    this.#place = 0;
  }

  #join() {
    if (this.#bytes.length === 0 && this.#more.length === 1) this.#bytes = this.#more[0];
    else this.#bytes = Buffer.concat([this.#bytes, ...intact(this.#more)]);
    this.#more = [];
  }

  /** Returns the end of the line that begins here, or -1 if it has not arrived. */
  #lineEnd() {
    const bytes = this.#bytes;
    for (let at = this.#place; at + 1 < bytes.length; at++) if (bytes[at] === CR) return at;
    return -1;
  }
  #number(end) {
    const bytes = this.#bytes;
    let at = this.#place;
    const isNegative = bytes[at] === MINUS;
    if (isNegative || bytes[at] === PLUS) at++;
    let value = 0;
    for (; at < end; at++) value = value * 10 + (bytes[at] - ZERO);
    return isNegative ? -value : value;
  }
  #text(from, to) {
    return FunctionCall(Buffer.prototype.utf8Slice, this.#bytes, from, to);
  }

  #read(depth) {
    if (depth > MOST_DEPTH) throw new RedisError('ERR_REDIS_INVALID_RESPONSE', 'Reply is nested too deeply');
    if (this.#place >= this.#bytes.length) return INCOMPLETE;
    const kind = StringFromCharCode(this.#bytes[this.#place]);
    const start = this.#place++;
    const end = this.#lineEnd();
    if (end === -1) {
      this.#place = start;
      return INCOMPLETE;
    }
    if (kind === ':' || kind === '$') {
      const value = this.#number(end);
      this.#place = end + 2;
      return kind === ':' ? value : this.#bulk(value, this.#asBytes);
    }
    const line = this.#text(this.#place, end);
    this.#place = end + 2;
    switch (kind) {
      case '+':
        return line;
      case '-':
        return new RedisError('ERR_REDIS_SERVER_ERROR', line);
      case '=': {
        const text = this.#bulk(NumberParseInt(line, 10), false);
        return text === INCOMPLETE ? text : StringSlice(text, 4); // without "txt:"
      }
      case '!': {
        const text = this.#bulk(NumberParseInt(line, 10), false);
        return text === INCOMPLETE ? text : new RedisError('ERR_REDIS_SERVER_ERROR', text);
      }
      case '_':
        return null;
      case '#':
        return line === 't';
      case ',':
        return line === 'inf' ? Infinity : line === '-inf' ? -Infinity : Number(line);
      case '(':
        return BigInt(line);
      case '*':
      case '~':
        return this.#list(NumberParseInt(line, 10), depth);
      case '>': {
        const items = this.#list(NumberParseInt(line, 10), depth);
        return items === INCOMPLETE ? items : new Push(items);
      }
      case '%': {
        const items = this.#list(NumberParseInt(line, 10) * 2, depth);
        return items === INCOMPLETE ? items : objectOf(items);
      }
      case '|': {
        // Attributes precede the reply that they describe; they are skipped.
        if (this.#list(NumberParseInt(line, 10) * 2, depth) === INCOMPLETE) return INCOMPLETE;
        return this.#read(depth);
      }
      default:
        throw new RedisError('ERR_REDIS_INVALID_RESPONSE', `Reply of an unknown type "${kind}"`);
    }
  }

  #bulk(size, asBytes) {
    if (size === -1) return null;
    const end = this.#place + size;
    if (end + 2 > this.#bytes.length) {
      this.#needs = end + 2;
      return INCOMPLETE;
    }
    const value = asBytes ? Buffer.from(TypedArraySubarray(this.#bytes, this.#place, end)) : this.#text(this.#place, end);
    this.#place = end + 2;
    return value;
  }
  #list(count, depth) {
    if (count === -1) return null;
    const items = [];
    for (let index = 0; index < count; index++) {
      const item = this.#read(depth + 1);
      if (item === INCOMPLETE) return INCOMPLETE;
      ArrayPush(items, item);
    }
    return items;
  }
}

/** Converts alternating names and values to an object. */
function objectOf(items) {
  const object = { __proto__: null };
  for (let index = 0; index < items.length; index += 2) object[items[index]] = items[index + 1];
  return object;
}

module.exports = { encode, ReplyReader, Push, RedisError, objectOf };
