// @ts-check
'use strict';
// Owns: DNS messages (RFC 1035 and its successors): encoding queries and decoding responses. A message that is truncated,
// whose names form a loop, or with a malformed record of a known type is rejected with BadMessage, as in c-ares.

const { AnySlice, AnyToString } = require('internal/any_kind');
const { RegExpMatch } = require('internal/patterns');
const {
  ArrayFrom,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySome,
  DataViewSetUint16,
  NumberToString,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringFromCharCode,
  StringPadStart,
  StringSplit,
  TypedArraySet,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { encode } = require('internal/utf8');

const TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  TLSA: 52,
  ANY: 255,
  CAA: 257,
};
const IN = 1;
const RECURSION_DESIRED = 0x0100;
const LONGEST_LABEL = 63;
const MOST_POINTERS = 64;

class BadMessage extends Error {}

/** Encodes a query for one name and type; undefined if the name is not valid. */
function query(id, name, type) {
  const labels = ArrayMap(StringSplit(RegExpReplace(/\.$/, name, ''), '.'), (label) => encode(label));
  if (ArraySome(labels, (label) => label.length === 0 || label.length > LONGEST_LABEL)) return undefined;
  let size = 12 + 1 + 4;
  for (let index = 0; index < labels.length; index++) size += labels[index].length + 1;
  if (size > 12 + 255 + 4) return undefined;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  DataViewSetUint16(view, 0, id);
  DataViewSetUint16(view, 2, RECURSION_DESIRED);
  DataViewSetUint16(view, 4, 1);
  let at = 12;
  for (const label of intact(labels)) {
    bytes[at] = label.length;
    TypedArraySet(bytes, label, at + 1);
    at += label.length + 1;
  }
  DataViewSetUint16(view, at + 1, type);
  DataViewSetUint16(view, at + 3, IN);
  return bytes;
}

/** A label in zone-file syntax (RFC 1035, 5.1). */
const escapeLabel = (label) =>
  RegExpReplace(/[^\x20-\x7e]|["$().;@\\]/g, label, (character) => {
    const code = StringCharCodeAt(character, 0);
    return code < 0x20 || code > 0x7e ? `\\${StringPadStart(NumberToString(code), 3, '0')}` : `\\${character}`;
  });

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  #need(count) {
    if (this.at + count > this.bytes.length) throw new BadMessage('cut short');
  }
  u8() {
    this.#need(1);
    return this.bytes[this.at++];
  }
  u16() {
    return this.u8() * 256 + this.u8();
  }
  u32() {
    return this.u16() * 65536 + this.u16();
  }
  take(count) {
    this.#need(count);
    this.at += count;
    return TypedArraySubarray(this.bytes, this.at - count, this.at);
  }
  text(count) {
    return StringFromCharCode(...intact(this.take(count)));
  }
  /** A character-string (RFC 1035, 3.3) of printable ASCII: its length in a byte, then the text. */
  string() {
    const text = this.text(this.u8());
    if (RegExpTest(/[^\x20-\x7e]/, text)) throw new BadMessage('a text that is none');
    return text;
  }
  /** A name, possibly compressed (RFC 1035, 4.1.4); characters with a meaning in zone files are escaped. */
  name() {
    const labels = [];
    let back = -1;
    for (let pointers = 0; ;) {
      const length = this.u8();
      if (length === 0) break;
      if (length >= 0xc0) {
        const target = (length - 0xc0) * 256 + this.u8();
        if (++pointers > MOST_POINTERS) throw new BadMessage('a name in circles');
        if (back < 0) back = this.at;
        this.at = target;
      } else if (length > LONGEST_LABEL) {
        throw new BadMessage('a label of an unknown kind');
      } else {
        ArrayPush(labels, escapeLabel(this.text(length)));
      }
    }
    if (back >= 0) this.at = back;
    return ArrayJoin(labels, '.');
  }
}

const hex = (bytes) =>
  ArrayJoin(
    ArrayFrom(intact(bytes), (byte) => StringPadStart(AnyToString(byte, 16), 2, '0')),
    '',
  );

function ipv6(bytes) {
  const { SocketAddress } = require('node/net/blocklist');
  return new SocketAddress({ address: ArrayJoin(RegExpMatch(/.{4}/g, hex(bytes)) ?? [], ':'), family: 'ipv6' }).address;
}

// type -> decoder of its data, from `reader.at` up to `end`
const readers = {
  [TYPES.A]: (reader) => ({ address: ArrayJoin([...intact(reader.take(4))], '.') }),
  [TYPES.AAAA]: (reader) => ({ address: ipv6(reader.take(16)) }),
  [TYPES.NS]: (reader) => ({ value: reader.name() }),
  [TYPES.CNAME]: (reader) => ({ value: reader.name() }),
  [TYPES.PTR]: (reader) => ({ value: reader.name() }),
  [TYPES.MX]: (reader) => ({ priority: reader.u16(), exchange: reader.name() }),
  [TYPES.SOA]: (reader) => ({
    nsname: reader.name(),
    hostmaster: reader.name(),
    serial: reader.u32(),
    refresh: reader.u32(),
    retry: reader.u32(),
    expire: reader.u32(),
    minttl: reader.u32(),
  }),
  [TYPES.TXT](reader, end) {
    if (reader.at === end) throw new BadMessage('an empty record');
    const entries = [];
    while (reader.at < end) ArrayPush(entries, reader.text(reader.u8()));
    return { entries };
  },
  [TYPES.SRV](reader) {
    const { 0: priority, 1: weight, 2: port } = [reader.u16(), reader.u16(), reader.u16()];
    return { name: reader.name(), port, priority, weight };
  },
  [TYPES.NAPTR](reader) {
    const { 0: order, 1: preference } = [reader.u16(), reader.u16()];
    const { 0: flags, 1: service, 2: regexp } = [reader.string(), reader.string(), reader.string()];
    return { flags, service, regexp, replacement: reader.name(), order, preference };
  },
  [TYPES.TLSA](reader, end) {
    const { 0: certUsage, 1: selector, 2: match } = [reader.u8(), reader.u8(), reader.u8()];
    if (reader.at >= end) throw new BadMessage('a certificate without data');
    return { certUsage, selector, match, data: AnySlice(reader.take(end - reader.at)).buffer };
  },
  [TYPES.CAA](reader, end) {
    const critical = reader.u8();
    const property = reader.string();
    if (property === '' || reader.at >= end) throw new BadMessage('a property without a name or value');
    return { critical, type: 'CAA', [property]: reader.text(end - reader.at) };
  },
};
function readRecord(reader) {
  reader.name();
  const type = reader.u16();
  const isInternet = reader.u16() === IN;
  const ttl = reader.u32();
  const end = reader.u16() + reader.at;
  if (end > reader.bytes.length) throw new BadMessage('cut short');
  const data = type in readers ? readers[type](reader, end) : undefined;
  reader.at = end;
  return { type, ttl, data: isInternet ? data : undefined };
}

/** { id, isTruncated, isAnswer, code, answers: [{ type, ttl, data }] }; records of other classes and types are omitted. */
function parse(bytes) {
  const reader = new Reader(bytes);
  const id = reader.u16();
  const flags = reader.u16();
  const { 0: questions, 1: count, 2: authorities, 3: additional } = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  for (let index = 0; index < questions; index++) {
    reader.name();
    reader.take(4);
  }
  const answers = [];
  for (let index = 0; index < count; index++) {
    const record = readRecord(reader);
    if (record.data !== undefined) ArrayPush(answers, record);
  }
  const isTruncated = (flags & 0x0200) !== 0;
  for (let index = 0; index < authorities + additional && !isTruncated; index++) readRecord(reader);
  return { id, isTruncated, isAnswer: (flags & 0x8000) !== 0, code: flags & 15, answers };
}

module.exports = { TYPES, query, parse, BadMessage };
