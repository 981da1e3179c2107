// @ts-check
'use strict';
// Owns: form bodies: parsing and serializing multipart/form-data and application/x-www-form-urlencoded.

const { AnyIndexOf, AnySubarray } = require('internal/any_kind');
const { RegExpMatchAll } = require('internal/patterns');
const native = host.native;
const {
  ArrayPush,
  MathFloor,
  MathMax,
  MathRandom,
  ObjectDefineProperty,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringIndexOf,
  StringPadStart,
  StringSlice,
  StringSplit,
  StringToLowerCase,
  StringTrim,
  Uint8ArrayFrom,
  intact,
} = require('internal/primordials');
const { Blob } = require('web/blob/blob');
const { File } = require('web/blob/file');
const { FormData } = require('web/blob/form_data');

const CRLF = '\r\n';
const escapeName = (text) => RegExpReplace(/"/g, RegExpReplace(/\r?\n|\r/g, text, '%0D%0A'), '%22');
const normal = (text) => RegExpReplace(/\r?\n|\r/g, text, CRLF);

/** Serializes a form as a blob with its type. */
function encode(form) {
  const boundary = `----formdata-rt-${StringPadStart(`${MathFloor(MathRandom() * 1e12)}`, 12, '0')}`;
  const parts = [];
  for (const { 0: name, 1: value } of intact(form)) {
    const head = `--${boundary}${CRLF}Content-Disposition: form-data; name="${escapeName(normal(name))}"`;
    if (typeof value === 'string') {
      ArrayPush(parts, `${head}${CRLF}${CRLF}${normal(value)}${CRLF}`);
    } else {
      ArrayPush(
        parts,
        `${head}; filename="${escapeName(value.name)}"${CRLF}Content-Type: ${value.type || 'application/octet-stream'}${CRLF}${CRLF}`,
        value,
        CRLF,
      );
    }
  }
  ArrayPush(parts, `--${boundary}--${CRLF}`);
  const type = `multipart/form-data; boundary=${boundary}`;
  return { source: new Blob(parts, { type }), type };
}

const wrongType = () =>
  new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
const unreadable = (reason) => {
  const error = new TypeError('Failed to parse body as FormData.', { cause: new TypeError(reason) });
  ObjectDefineProperty(error, 'code', {
    __proto__: null,
    value: 'ERR_FORMDATA_PARSE_ERROR',
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return error;
};

async function decodeForm(body, type) {
  const { 1: essence, 2: rest } = RegExpExec(/^[\t ]*([^;\s]+)[\t ]*(.*)$/s, type ?? '') ?? [];
  switch (essence == null ? undefined : StringToLowerCase(essence)) {
    case 'multipart/form-data': {
      const match = RegExpExec(/;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i, rest);
      const bytes = await body.bytes();
      if (match === null) throw unreadable('missing boundary in content-type header');
      return readParts(bytes, match[1] ?? match[2]);
    }
    case 'application/x-www-form-urlencoded':
      return readFields(await body.bytes());
    default:
      throw wrongType();
  }
}

function readFields(bytes) {
  const form = new FormData();
  const text = native.decodeUtf8(bytes); // a byte order mark remains part of the first name
  for (const { 0: name, 1: value } of intact(new (require('web/url/class').URLSearchParams)(text))) form.append(name, value);
  return form;
}

/** Returns the index of `needle` in `bytes` at or after `from`, or -1. */
function find(bytes, needle, from) {
  const last = bytes.length - needle.length;
  for (
    let place = AnyIndexOf(bytes, needle[0], from);
    place !== -1 && place <= last;
    place = AnyIndexOf(bytes, needle[0], place + 1)
  ) {
    let i = 1;
    while (i < needle.length && bytes[place + i] === needle[i]) i++;
    if (i === needle.length) return place;
  }
  return -1;
}

function readParts(bytes, boundary) {
  const { encodeUtf8 } = native;
  const delimiter = encodeUtf8(`${CRLF}--${boundary}`);
  const headEnd = encodeUtf8(CRLF + CRLF);
  const form = new FormData();
  const first = encodeUtf8(`--${boundary}`);
  let place = find(bytes, first, 0);
  if (place === -1) throw unreadable('no boundary found in multipart body');
  place += first.length;
  for (;;) {
    if (bytes[place] === 45 && bytes[place + 1] === 45) return form; // --
    while (bytes[place] === 32 || bytes[place] === 9) place++;
    if (bytes[place] !== 13 || bytes[place + 1] !== 10) throw unreadable('expected CRLF');
    place += 2;
    const isBare = bytes[place] === 13 && bytes[place + 1] === 10;
    const end = isBare ? place : find(bytes, headEnd, place);
    if (end === -1) throw unreadable('malformed multipart-form-data header');
    const head = isBare ? '' : native.decodeUtf8(AnySubarray(bytes, place, end));
    const start = end + (isBare ? 2 : 4);
    const next = find(bytes, delimiter, start - 2 < 0 ? 0 : start - 2);
    if (next === -1) throw unreadable('expected boundary after body');
    addPart(form, head, AnySubarray(bytes, start, MathMax(start, next)));
    place = next + delimiter.length;
  }
}

/** Decodes a value with a character set: `UTF-8''%e2%82%ac`. */
function decodeExtended(text) {
  const match = RegExpExec(/^utf-8'[^']*'(.*)$/is, text);
  if (match === null) throw unreadable("unknown encoding, expected utf-8''");
  try {
    return decodeURIComponent(match[1]);
  } catch {
    throw unreadable('malformed extended value');
  }
}

function fromBase64(content) {
  let text;
  try {
    text = require('internal/base64').atob(native.decodeUtf8(content));
  } catch {
    throw unreadable('malformed base64');
  }
  return Uint8ArrayFrom(text, (each) => StringCharCodeAt(each, 0));
}

function addPart(form, head, content) {
  let name;
  let filename;
  let type;
  let bytes = content;
  for (const line of intact(StringSplit(head, CRLF))) {
    const colon = StringIndexOf(line, ':');
    const field = StringToLowerCase(StringSlice(line, 0, colon));
    const value = StringTrim(StringSlice(line, colon + 1));
    if (field === 'content-disposition') {
      if (!RegExpTest(/^form-data\s*(?:;|$)/i, value)) throw unreadable('expected form-data for content-disposition header');
      for (const { 1: key, 2: quoted, 3: bare } of intact(
        RegExpMatchAll(/;\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g, value),
      )) {
        const text = RegExpReplace(/%22/g, RegExpReplace(/%0D/gi, RegExpReplace(/%0A/gi, quoted ?? bare, '\n'), '\r'), '"');
        const lower = StringToLowerCase(key);
        if (lower === 'name') name ??= text;
        else if (lower === 'filename') filename ??= text;
        else if (lower === 'name*') name = decodeExtended(text);
        else if (lower === 'filename*') filename = decodeExtended(text);
      }
    } else if (field === 'content-transfer-encoding') {
      if (StringToLowerCase(value) === 'base64') bytes = fromBase64(content);
    } else if (field === 'content-type') {
      type = value;
    }
  }
  if (name === undefined) throw unreadable('header name is null');
  if (filename === undefined) form.append(name, native.decodeUtf8(bytes));
  else form.append(name, new File([bytes], filename, { type: type ?? 'text/plain' }), filename);
}

module.exports = { encode, decodeForm, readFields, readParts };
