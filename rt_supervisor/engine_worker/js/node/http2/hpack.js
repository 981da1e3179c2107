// @ts-check
'use strict';
// Owns: the HPACK encoding of header lists (RFC 7541): the static table, the dynamic table, and limits that are checked
// before memory is allocated.

const { setOf } = require('internal/collections');
const {
  ArrayForEach,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArrayUnshift,
  MapGet,
  MapHas,
  MapSet,
  MathFloor,
  MathMin,
  SetHas,
  StringCharCodeAt,
  StringFromCharCode,
  StringIndexOf,
  StringSlice,
  StringSplit,
} = require('internal/primordials');
const huffman = require('node/http2/huffman');

const FIXED = ArrayMap(
  StringSplit(
    `:authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|:status 204|:status 206|:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate`,
    '|',
  ),
  (text) => {
    const place = StringIndexOf(text, ' ');
    return place === -1 ? [text, ''] : [StringSlice(text, 0, place), StringSlice(text, place + 1)];
  },
);
const ENTRY_COST = 32;
// Their values change with every message: indexing them would evict useful entries.
const CHANGING = setOf([
  ':path',
  'age',
  'content-length',
  'etag',
  'if-modified-since',
  'if-none-match',
  'location',
  'set-cookie',
]);
const fixedNames = new Map();
const fixedPairs = new Map(); // by name, then by value; an empty value has the index of its name
ArrayForEach(FIXED, ({ 0: name, 1: value }, index) => {
  if (!MapHas(fixedNames, name)) MapSet(fixedNames, name, index + 1);
  if (value === '') return;
  if (!MapHas(fixedPairs, name)) MapSet(fixedPairs, name, new Map());
  MapSet(MapGet(fixedPairs, name), value, index + 1);
});

class HpackError extends Error {}

const costOf = (name, value) => name.length + value.length + ENTRY_COST;

/** The dynamic table: the fields that both sides remember, newest first. */
class Table {
  entries = [];
  size = 0;
  constructor(limit) {
    this.limit = limit;
  }
  add(name, value) {
    const cost = costOf(name, value);
    while (this.entries.length > 0 && this.size + cost > this.limit) this.#drop();
    if (cost > this.limit) return;
    ArrayUnshift(this.entries, [name, value]);
    this.size += cost;
  }
  resize(limit) {
    this.limit = limit;
    while (this.size > limit) this.#drop();
  }
  #drop() {
    const { 0: name, 1: value } = ArrayPop(this.entries);
    this.size -= costOf(name, value);
  }
}

class Encoder {
  #table = new Table(4096);
  #least; // the smallest table size since the last header block, to be announced; undefined if unchanged
  get size() {
    return this.#table.size;
  }

  resize(limit) {
    limit = MathMin(limit, 4096);
    if (limit === this.#table.limit) return;
    this.#least = MathMin(this.#least ?? limit, limit);
    this.#table.resize(limit);
  }

  /** Encodes fields, each `[name, value, isSensitive]`, to a header block. */
  encode(fields) {
    const bytes = [];
    if (this.#least !== undefined) {
      if (this.#least < this.#table.limit) writeInteger(bytes, 0x20, 5, this.#least);
      writeInteger(bytes, 0x20, 5, this.#table.limit);
      this.#least = undefined;
    }
    for (let i = 0; i < fields.length; i++) this.#field(bytes, fields[i][0], fields[i][1], fields[i][2]);
    const block = new Uint8Array(bytes.length);
    for (let i = 0; i < bytes.length; i++) block[i] = bytes[i];
    return block;
  }

  #field(bytes, name, value, isSensitive) {
    let index = MapGet(fixedNames, name) ?? 0;
    if (!isSensitive) {
      let whole = fixedPair(name, value, index);
      const { entries } = this.#table;
      for (let i = 0; whole === 0 && i < entries.length; i++) {
        if (entries[i][0] !== name) continue;
        if (entries[i][1] === value) whole = FIXED.length + 1 + i;
        else if (index === 0) index = FIXED.length + 1 + i;
      }
      if (whole !== 0) {
        writeInteger(bytes, 0x80, 7, whole);
        return;
      }
    }
    if (isSensitive) writeInteger(bytes, 0x10, 4, index);
    else if (SetHas(CHANGING, name)) writeInteger(bytes, 0x00, 4, index);
    else {
      writeInteger(bytes, 0x40, 6, index);
      this.#table.add(name, value);
    }
    if (index === 0) writeText(bytes, name);
    writeText(bytes, value);
  }
}

function fixedPair(name, value, index) {
  if (index === 0) return 0;
  if (value === '') return FIXED[index - 1][1] === '' ? index : 0;
  const values = MapGet(fixedPairs, name);
  return values === undefined ? 0 : (MapGet(values, value) ?? 0);
}

function writeInteger(bytes, flags, bits, value) {
  const most = (1 << bits) - 1;
  if (value < most) {
    ArrayPush(bytes, flags | value);
    return;
  }
  ArrayPush(bytes, flags | most);
  value -= most;
  while (value >= 128) {
    ArrayPush(bytes, (value % 128) | 128);
    value = MathFloor(value / 128);
  }
  ArrayPush(bytes, value);
}

function writeText(bytes, text) {
  const short = huffman.encodedLength(text);
  if (short < text.length) {
    writeInteger(bytes, 0x80, 7, short);
    huffman.encode(text, bytes);
    return;
  }
  writeInteger(bytes, 0, 7, text.length);
  for (let i = 0; i < text.length; i++) ArrayPush(bytes, StringCharCodeAt(text, i) & 255);
}

class Decoder {
  #table = new Table(4096);
  #most = 4096; // the size that this side has allowed
  #bytes;
  #place;
  get size() {
    return this.#table.size;
  }

  allow(limit) {
    this.#most = limit;
    if (limit < this.#table.limit) this.#table.resize(limit);
  }

  /** Decodes to `[name, value, isSensitive]` per field; undefined if they exceed `limit` bytes; throws HpackError. */
  decode(bytes, limit) {
    this.#bytes = bytes;
    this.#place = 0;
    const fields = [];
    let size = 0;
    while (this.#place < bytes.length) {
      const first = bytes[this.#place];
      if (first & 0x80) {
        const { 0: name, 1: value } = this.#entry(this.#integer(7));
        ArrayPush(fields, [name, value, false]);
      } else if ((first & 0xe0) === 0x20) {
        const most = this.#integer(5);
        if (fields.length > 0 || most > this.#most) throw new HpackError('table size');
        this.#table.resize(most);
        continue;
      } else {
        const isKept = (first & 0x40) !== 0;
        const index = this.#integer(isKept ? 6 : 4);
        const name = index === 0 ? this.#text() : this.#entry(index)[0];
        const value = this.#text();
        if (isKept) this.#table.add(name, value);
        ArrayPush(fields, [name, value, (first & 0xf0) === 0x10]);
      }
      const { 0: name, 1: value } = fields[fields.length - 1];
      size += costOf(name, value);
      if (size > limit) fields.length = 0; // decoding continues: the table must stay in sync with the peer's
    }
    return size > limit ? undefined : fields;
  }

  #entry(index) {
    const entry = index <= FIXED.length ? FIXED[index - 1] : this.#table.entries[index - FIXED.length - 1];
    if (entry === undefined) throw new HpackError('index');
    return entry;
  }

  #integer(bits) {
    const most = (1 << bits) - 1;
    let value = this.#bytes[this.#place++] & most;
    if (value < most) return value;
    for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
      const byte = this.#bytes[this.#place++];
      if (byte === undefined) break;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new HpackError('integer');
  }

  #text() {
    if (this.#place >= this.#bytes.length) throw new HpackError('text');
    const isCoded = (this.#bytes[this.#place] & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#place;
    const end = start + length;
    if (end > this.#bytes.length) throw new HpackError('text');
    this.#place = end;
    if (isCoded) {
      const text = huffman.decode(this.#bytes, start, end);
      if (text === undefined) throw new HpackError('code');
      return text;
    }
    let text = '';
    for (let i = start; i < end; i++) text += StringFromCharCode(this.#bytes[i]);
    return text;
  }
}

module.exports = { Encoder, Decoder, HpackError };
