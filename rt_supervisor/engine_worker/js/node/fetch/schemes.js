'use strict';
// Owns: responses of fetch for data:, blob: and file: URLs.

const { AnySlice } = require('internal/any_kind');
const {
  MathMax,
  MathMin,
  NumberParseInt,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringFromCharCode,
  StringIndexOf,
  StringSlice,
  StringStartsWith,
  StringTrim,
  Uint8ArrayFrom,
  intact,
} = require('internal/primordials');
const { Body } = require('web/fetch/body');
const { make } = require('web/fetch/response');

function withBody(source, type, url) {
  const body = new Body();
  body.source = source;
  const rawHeaders = type === null ? [] : ['content-type', type];
  return make({ status: 200, reason: 'OK', rawHeaders, body, url, isRedirected: false, type: 'basic' });
}

function data(url, method) {
  const text = StringSlice(withoutHash(url), 5);
  const comma = StringIndexOf(text, ',');
  if (comma === -1) throw new Error('failed to fetch the data URL');
  let type = StringTrim(StringSlice(text, 0, comma));
  let bytes = percentDecode(StringSlice(text, comma + 1));
  const match = RegExpExec(/; *base64$/i, type);
  if (match !== null) {
    type = StringSlice(type, 0, match.index);
    bytes = fromBase64(bytes);
  }
  if (StringStartsWith(type, ';')) type = `text/plain${type}`;
  return withBody(method === 'HEAD' ? null : bytes, normalType(type), withoutHash(url));
}

/** A MIME type parsed and serialized again; the default type if it is invalid. */
function normalType(text) {
  const { MIMEType } = require('internal/mime');
  try {
    return `${new MIMEType(text)}`;
  } catch {
    return 'text/plain;charset=US-ASCII';
  }
}

const withoutHash = (url) => RegExpReplace(/#.*$/s, url.href, '');

function percentDecode(text) {
  const source = host.native.encodeUtf8(text);
  const bytes = new Uint8Array(source.length);
  let size = 0;
  for (let i = 0; i < source.length; i++) {
    let byte = source[i];
    if (byte === 0x25 && RegExpTest(/^[0-9a-f]{2}$/i, (text = StringFromCharCode(source[i + 1] ?? 0, source[i + 2] ?? 0)))) {
      byte = NumberParseInt(text, 16);
      i += 2;
    }
    bytes[size++] = byte;
  }
  return AnySlice(bytes, 0, size);
}

function fromBase64(bytes) {
  let text;
  try {
    text = require('internal/base64').atob(host.native.decodeUtf8(bytes));
  } catch {
    throw new Error('failed to fetch the data URL');
  }
  return Uint8ArrayFrom(intact(text), (each) => StringCharCodeAt(each, 0));
}

function blob(url, method, headers) {
  if (method !== 'GET') throw new Error('invalid method');
  const blob = require('web/blob/object_urls').resolveObjectURL(withoutHash(url));
  if (blob === undefined || blob === null) throw new Error('blob not found');
  const { size, type } = blob;
  const range = headers.get('range');
  const response =
    range === null ? withBody(blob, type, withoutHash(url)) : withPiece(blob, placesOf(range, size), withoutHash(url));
  response.headers.set('content-length', `${response.headers.get('content-length') ?? size}`);
  return response;
}

/** [first byte, one past the last] for a `bytes=…` range. */
function placesOf(range, size) {
  const match = RegExpExec(/^bytes=[\t ]*(\d*)[\t ]*-[\t ]*(\d*)$/, range);
  if (match === null || (match[1] === '' && match[2] === '')) throw new Error('failed to fetch the data URL');
  if (match[1] === '') return [MathMax(0, size - Number(match[2])), size];
  const first = Number(match[1]);
  if (first >= size) throw new Error("Range start is greater than the blob's size.");
  const last = match[2] === '' ? size - 1 : Number(match[2]);
  if (last < first) throw new Error('failed to fetch the data URL');
  return [first, MathMin(last + 1, size)];
}

function withPiece(blob, { 0: first, 1: end }, url) {
  const body = new Body();
  body.source = blob.slice(first, end, blob.type);
  const range = `bytes ${first}-${end - 1}/${blob.size}`;
  const rawHeaders = ['content-length', `${end - first}`, 'content-range', range, 'content-type', blob.type];
  return make({ status: 206, reason: 'Partial Content', rawHeaders, body, url, isRedirected: false, type: 'basic' });
}

function file(url) {
  const path = require('node/module/builtins').load('url').fileURLToPath(url);
  const fs = require('node/module/builtins').load('fs');
  const bytes = fs.readFileSync(path); // a failure has Node's code and names the path
  return withBody(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), typeOf(path), url.href);
}

const TYPES = {
  __proto__: null,
  html: 'text/html;charset=utf-8',
  htm: 'text/html;charset=utf-8',
  txt: 'text/plain;charset=utf-8',
  css: 'text/css;charset=utf-8',
  js: 'text/javascript;charset=utf-8',
  mjs: 'text/javascript;charset=utf-8',
  ts: 'text/javascript;charset=utf-8',
  json: 'application/json;charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  wasm: 'application/wasm',
  xml: 'application/xml',
  pdf: 'application/pdf',
};
const typeOf = (path) => TYPES[RegExpExec(/\.([^./]+)$/, path)?.[1]?.toLowerCase()] ?? 'application/octet-stream';

module.exports = { data, blob, file };
