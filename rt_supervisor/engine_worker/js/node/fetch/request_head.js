// @ts-check
'use strict';
// Owns: the header of a fetch request: the program's fields and the default ones.

const runtimeParts = require('internal/parts');
const { AnyGet } = require('internal/any_kind');
const startValues = require('internal/start_values');
const { ArrayIsArray, ArrayPush, MapHas, RegExpTest, StringToLowerCase, intact } = require('internal/primordials');
const { listOf } = require('web/fetch/headers');
const { toBytes } = require('web/fetch/body');
const { invalidHeader } = require('node/fetch/errors');

const USUAL = 'gzip, deflate, br, zstd';

/**
 * Serializes a header; sets `pairs` and `path` of `task`, and `length` for a stream with a known length.
 * request: { url, method, headers, cache, target, body }
 */
function headOf(task, { url, method, headers, cache, target, body }) {
  const pairs = (task.pairs = []);
  const fields = listOf(headers);
  const add = (name, value) => {
    if (!MapHas(fields, StringToLowerCase(name))) ArrayPush(pairs, [name, value]);
  };
  add('Host', url.host);
  add('Connection', task.isAlone ? 'close' : 'keep-alive');
  for (const {
    0: lower,
    1: { name, value },
  } of intact(fields)) {
    if (lower === 'content-length' || lower === 'transfer-encoding') continue;
    for (let index = 0, list = ArrayIsArray(value) ? value : [value]; index < list.length; index++)
      ArrayPush(pairs, [name, list[index]]);
  }
  add('User-Agent', startValues.userAgent);
  add('Accept', '*/*');
  // A range of a compressed body cannot be decompressed.
  add('Accept-Encoding', MapHas(fields, 'range') ? 'identity' : USUAL);
  addFreshness(add, cache, fields);
  addLength(pairs, task, AnyGet(fields, 'content-length')?.value, { method, body });
  const isForwarded = target.proxy !== undefined && url.protocol === 'http:';
  if (isForwarded) {
    const { headersFor, valueIn } = require('node/http/proxy');
    const own = headersFor(target.proxy, target.proxyHeaders);
    if (valueIn(own, 'proxy-connection') === undefined) add('Proxy-Connection', task.isAlone ? 'close' : 'keep-alive');
    for (const pair of intact(own)) ArrayPush(pairs, pair);
  }
  if (runtimeParts.publish !== undefined && target.dispatcher === undefined)
    require('node/fetch/diagnostics').begin(task, pairs, { method, url, body });
  const path = (task.path = `${url.pathname}${url.search}`);
  let head = `${method} ${isForwarded ? `${url.origin}${path}` : path} HTTP/1.1\r\n`;
  for (let index = 0; index < pairs.length; index++) {
    const { 0: name, 1: value } = pairs[index];
    if (RegExpTest(CONTROL, value)) throw invalidHeader(name);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}\r\n`;
}
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/; // allowed in Headers, but not in a message

/** Adds the fields that ask intermediate caches for a fresh response. */
function addFreshness(add, cache, fields) {
  if (cache === 'default') return;
  if (cache === 'no-store' || cache === 'reload') {
    add('Pragma', 'no-cache');
    add('Cache-Control', 'no-cache');
  } else if (cache === 'no-cache' && !MapHas(fields, 'cache-control')) {
    add('Cache-Control', 'max-age=0');
  }
}

function addLength(pairs, task, length, { method, body }) {
  if (task.isStream) {
    if (length === undefined) {
      ArrayPush(pairs, ['Transfer-Encoding', 'chunked']);
    } else {
      if (!RegExpTest(/^\d+$/, length)) throw invalidHeader('content-length');
      ArrayPush(pairs, ['Content-Length', length]);
      task.length = Number(length);
    }
  } else if (body !== null) {
    ArrayPush(pairs, ['Content-Length', `${typeof body === 'string' ? toBytes(body).length : body.byteLength}`]);
  } else if (RegExpTest(/^(?:POST|PUT|PATCH)$/, method)) {
    ArrayPush(pairs, ['Content-Length', '0']);
  }
}

module.exports = { headOf };
