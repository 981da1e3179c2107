'use strict';
// Owns: the tar format: entries to bytes (ustar, with pax records for long names) and bytes to entries, without file access or
// compression.

const { AnySubarray } = require('internal/any_kind');
const {
  ArrayPush,
  ArrayReduce,
  MathCeil,
  NumberToString,
  RegExpExec,
  RegExpTest,
  StringLastIndexOf,
  StringPadStart,
  StringSlice,
  TypedArrayIndexOf,
  TypedArraySet,
  intact,
} = require('internal/primordials');

const native = host.native;

const BLOCK = 512;
const RECORD = 20 * BLOCK; // the block size of a tape: archives are padded to it
const SUM = { offset: 148, size: 8 };
const SPACE = 0x20;
const MODE = 0o644;
const NAME_LIMIT = 100;
const PREFIX_LIMIT = 155;

const padSize = (size) => MathCeil(size / BLOCK) * BLOCK;

function sumOf(header) {
  let sum = 0;
  for (let index = 0; index < BLOCK; index++) {
    const isSum = index >= SUM.offset && index < SUM.offset + SUM.size;
    sum += isSum ? SPACE : header[index];
  }
  return sum;
}

function put(header, offset, text) {
  TypedArraySet(header, native.encodeUtf8(text), offset);
}

/** Splits a path at a slash for the header's two fields; undefined if it does not fit. */
function cutName(path, size) {
  if (size <= NAME_LIMIT) return ['', path];
  const slash = StringLastIndexOf(path, '/', PREFIX_LIMIT);
  if (slash <= 0) return undefined;
  const rest = StringSlice(path, slash + 1);
  return rest !== '' && rest.length <= NAME_LIMIT ? [StringSlice(path, 0, slash), rest] : undefined;
}

const octal = (value, size) => StringPadStart(NumberToString(value, 8), size, '0');

function headerOf({ 0: prefix, 1: name }, size, seconds, type) {
  const header = new Uint8Array(BLOCK);
  put(header, 0, name);
  put(header, 100, `${octal(MODE, 6)} \0${octal(0, 6)} \0${octal(0, 6)} \0`);
  put(header, 124, `${octal(size, 11)} ${octal(seconds, 11)} `);
  put(header, 156, type);
  put(header, 257, 'ustar\u{0}00');
  put(header, 329, `${octal(0, 6)} \0${octal(0, 6)} \0`);
  put(header, 345, prefix);
  put(header, SUM.offset, `${octal(sumOf(header), 6)}\0 `);
  return header;
}

/** A pax record starts with its own length, which includes the length field. */
function paxRecord(key, value) {
  const rest = native.encodeUtf8(` ${key}=${value}\n`).length;
  let size = rest;
  while (`${size}`.length + rest !== size) size = `${size}`.length + rest;
  return `${size} ${key}=${value}\n`;
}

/** Packs entries of { path, bytes } into an archive. */
function pack(entries, seconds) {
  const parts = [];
  const add = (cut, bytes, type) => {
    ArrayPush(parts, headerOf(cut, bytes.length, seconds, type), bytes);
    const missing = padSize(bytes.length) - bytes.length;
    if (missing > 0) ArrayPush(parts, new Uint8Array(missing));
  };
  for (const { path, bytes } of intact(entries)) {
    const size = native.encodeUtf8(path).length;
    const isPlain = size === path.length;
    let cut = isPlain ? cutName(path, size) : undefined;
    if (cut === undefined) {
      const records = `${isPlain ? '' : paxRecord('hdrcharset', 'BINARY')}${paxRecord('path', path)}`;
      cut = ['', isPlain ? StringSlice(path, 0, NAME_LIMIT) : `entry-${parts.length}`];
      add(['', `PaxHeader/${parts.length}`], native.encodeUtf8(records), 'x');
    }
    add(cut, bytes, '0');
  }
  const size = ArrayReduce(parts, (sum, part) => sum + part.length, 0);
  const whole = new Uint8Array(MathCeil((size + 2 * BLOCK) / RECORD) * RECORD);
  let place = 0;
  for (const part of intact(parts)) {
    TypedArraySet(whole, part, place);
    place += part.length;
  }
  return whole;
}

function textAt(header, offset, size) {
  const field = AnySubarray(header, offset, offset + size);
  const end = TypedArrayIndexOf(field, 0);
  return native.decodeUtf8(end < 0 ? field : AnySubarray(field, 0, end));
}

/** Parses octal digits, or a big-endian number if the first bit is set. */
function numberAt(header, offset, size) {
  if (header[offset] & 0x80) {
    let value = header[offset] & 0x7f;
    for (let index = 1; index < size; index++) value = value * 256 + header[offset + index];
    return value;
  }
  return parseInt(textAt(header, offset, size), 8) || 0;
}

function readPax(bytes) {
  const records = {};
  for (let place = 0; place < bytes.length;) {
    const space = TypedArrayIndexOf(bytes, SPACE, place);
    const size = space < 0 ? 0 : parseInt(native.decodeUtf8(AnySubarray(bytes, place, space)), 10);
    if (!(size > 0)) break;
    const { 1: key, 2: value } =
      RegExpExec(/^([^=]*)=([^]*?)\n?$/, native.decodeUtf8(AnySubarray(bytes, space + 1, place + size))) ?? [];
    if (key !== undefined) records[key] = value;
    place += size;
  }
  return records;
}

const isEmpty = (header) => {
  for (let index = 0; index < BLOCK; index++) if (header[index] !== 0) return false;
  return true;
};

const TYPES = { __proto__: null, '': 'file', 0: 'file', 7: 'file', 1: 'hard link', 2: 'link', 5: 'folder' };

/** Yields the entries of an archive: { path, type, mode, seconds, target, bytes }. */
function* unpack(bytes) {
  let general = {};
  let next = {};
  for (let place = 0; place + BLOCK <= bytes.length;) {
    const header = AnySubarray(bytes, place, place + BLOCK);
    if (isEmpty(header)) return;
    if (numberAt(header, SUM.offset, SUM.size) !== sumOf(header)) {
      if (place === 0) throw new Error('Unrecognized archive format');
      return;
    }
    const mark = textAt(header, 156, 1);
    const ownSize = numberAt(header, 124, 12);
    const size = mark === 'x' || mark === 'g' ? ownSize : Number(next.size ?? general.size ?? ownSize);
    place += BLOCK;
    if (place + size > bytes.length) throw new Error('Truncated tar archive detected while reading data');
    const content = AnySubarray(bytes, place, place + size);
    place += padSize(size);
    if (mark === 'x') next = { ...next, ...readPax(content) };
    else if (mark === 'g') general = { ...general, ...readPax(content) };
    else if (mark === 'L') next.path = textAt(content, 0, content.length);
    else if (mark === 'K') next.linkpath = textAt(content, 0, content.length);
    else {
      const prefix = RegExpTest(/^ustar\0?/, textAt(header, 257, 6)) ? textAt(header, 345, PREFIX_LIMIT) : '';
      const path = next.path ?? general.path ?? `${prefix}${prefix === '' ? '' : '/'}${textAt(header, 0, NAME_LIMIT)}`;
      yield {
        path,
        type: RegExpTest(/\/$/, path) && mark !== '2' ? 'folder' : (TYPES[mark] ?? 'other'),
        mode: numberAt(header, 100, 8),
        seconds: Number(next.mtime ?? numberAt(header, 136, 12)),
        target: next.linkpath ?? textAt(header, 157, NAME_LIMIT),
        bytes: content,
      };
      next = {};
    }
  }
  if (bytes.length < BLOCK) throw new Error('Unrecognized archive format');
}

module.exports = { pack, unpack };
