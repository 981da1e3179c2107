'use strict';
// Owns: writing a Response: its head, and its body with a length, in chunks, or from part of a file.

const { isUint8Array } = require('internal/brands');
const { AnyCatch, AnyToString } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const { NumberToString, RegExpTest, SetHas, StringPadStart, WeakMapGet, WeakMapSet, intact } = require('internal/primordials');
const { partsOf } = require('web/fetch/response');
const { listOf } = require('web/fetch/headers');
const { isBlobLike } = require('web/fetch/body');
const { STATUS_CODES } = require('node/http/status_codes');
const { dateText } = require('node/http/fields');
const { bytesOf } = require('internal/bytes');
const { ADDS_LENGTH, ENDS, OMITS_BODY, QUEUED } = require('internal/http_numbers');

const OURS = setOf(['connection', 'transfer-encoding', 'content-length', 'keep-alive']);
const CLOSE = /(?:^|[\s,])close(?:$|[\s,])/i;
const BEYOND_ASCII = /[\x80-\uffff]/;
const statusLines = [];

const statusLine = (status, reason) => {
  if (reason !== '') return `HTTP/1.1 ${status} ${reason}\r\n`;
  return (statusLines[status] ??= `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`);
};

/** Returns the head without the fields for the body's length and without the final empty line. */
function headOf(exchange, { status, reason, headers, implied }) {
  let head = statusLine(status, reason);
  let hasDate = false;
  if (headers !== undefined) {
    for (const {
      0: lower,
      1: { name, value },
    } of intact(listOf(headers))) {
      if (SetHas(OURS, lower)) {
        if (lower === 'connection' && exchange.version <= 11 && RegExpTest(CLOSE, `${value}`)) exchange.keepsAlive = false;
        continue;
      }
      if (lower === 'date') hasDate = true;
      if (typeof value === 'string') head += `${name}: ${value}\r\n`;
      else for (const each of intact(value)) head += `${name}: ${each}\r\n`;
    }
  }
  if (exchange.cookies !== undefined)
    for (const each of intact(exchange.cookies.toSetCookieHeaders())) head += `Set-Cookie: ${each}\r\n`;
  if (implied !== null && implied !== undefined) head += `Content-Type: ${implied}\r\n`;
  if (!hasDate) head += `Date: ${dateText()}\r\n`;
  if (!exchange.keepsAlive) head += 'Connection: close\r\n';
  else if (exchange.version === 10) head += 'Connection: keep-alive\r\n';
  exchange.observer?.head(head);
  return head;
}

/** Writes head and body together; the writer adds the length. */
function writeWhole(exchange, head, body, omitsBody) {
  const flags = ADDS_LENGTH | (omitsBody ? OMITS_BODY : 0);
  if (RegExpTest(BEYOND_ASCII, head)) {
    const { Buffer } = require('node/buffer/buffer');
    head = Buffer.from(head, 'latin1');
  }
  if (body.length > 0) exchange.observer?.sent(body);
  exchange.connection.write(flags, head, body);
  done(exchange);
}

function done(exchange) {
  exchange.observer?.ended();
  exchange.connection.finishAnswer(exchange);
}

/** Returns the length that the answer to a HEAD request reports if its headers state one. */
function lengthForHead(headers) {
  if (headers?.has('content-length')) return `Content-Length: ${headers.get('content-length')}`;
  return headers?.has('transfer-encoding') ? 'Transfer-Encoding: chunked' : undefined;
}

/** Answers with a response; `isShared` means that later requests may get the same one. */
function respond(exchange, response, { isShared = false } = {}) {
  const parts = partsOf(response);
  const { body, status } = parts;
  exchange.isAnswered = true;
  if (status === 204 || status === 304 || status < 200) {
    const length = status === 304 ? (parts.headers?.get('content-length') ?? null) : null;
    const head = `${headOf(exchange, parts)}${length === null ? '' : `Content-Length: ${length}\r\n`}\r\n`;
    exchange.connection.write(0, toLatin(head), undefined);
    done(exchange);
    return;
  }
  const { source } = body;
  const isHead = exchange.method === 'HEAD';
  if (body.stream === undefined && body.feed === undefined) {
    const headLength = isHead && (source === null || source === '') ? lengthForHead(parts.headers) : undefined;
    if (headLength !== undefined) {
      exchange.connection.write(0, toLatin(`${headOf(exchange, parts)}${headLength}\r\n\r\n`), undefined);
      done(exchange);
      return;
    }
    if (source === null || typeof source === 'string' || isUint8Array(source)) {
      if (!isShared) body.isUsed ||= source !== null;
      else if (source !== null && source.length > 0) {
        respondFixed(exchange, response, parts, isHead);
        return;
      }
      writeWhole(exchange, headOf(exchange, parts), source ?? '', isHead);
      return;
    }
    if (isBlobLike(source)) {
      if (!isShared) body.isUsed = true;
      require('rt/serve/files').respondBlob(exchange, parts, source, isHead, { headOf, toLatin, done, writeWhole, isShared });
      return;
    }
  }
  const declared = parts.headers?.get('content-length') ?? null;
  const length = declared !== null && RegExpTest(/^\d{1,15}$/, declared) ? declared : null;
  if (isHead) {
    AnyCatch(body.asStream().cancel(), () => {});
    exchange.connection.write(
      0,
      toLatin(
        `${headOf(exchange, parts)}${length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`,
      ),
      undefined,
    );
    done(exchange);
    return;
  }
  writeStream(exchange, parts, body, length);
}

const tags = new WeakMap(); // Response -> its ETag, for responses that answer many requests
/** Answers with a constant response; a client with a current copy gets 304. */
function respondFixed(exchange, response, parts, isHead) {
  let tag = WeakMapGet(tags, response);
  let line = '';
  if (tag === undefined) {
    tag =
      parts.headers?.get('etag') ??
      `"${StringPadStart(AnyToString(require('rt/crypto/hash').hash.xxHash64(parts.body.source), 16), 16, '0')}"`;
    WeakMapSet(tags, response, tag);
  }
  if (!parts.headers?.has('etag')) line = `ETag: ${tag}\r\n`;
  if (parts.status === 200 && (isHead || exchange.method === 'GET')) {
    const { isRefused, isFresh } = require('rt/serve/conditions');
    const modified = parts.headers?.get('last-modified') ?? undefined;
    const status = isRefused(exchange, tag, modified) ? 412 : isFresh(exchange, tag, modified) ? 304 : 200;
    if (status !== 200) {
      exchange.connection.write(
        0,
        toLatin(
          `${headOf(exchange, { ...parts, status, implied: null })}${line}${status === 412 ? 'Content-Length: 0\r\n' : ''}\r\n`,
        ),
        undefined,
      );
      done(exchange);
      return;
    }
  }
  writeWhole(exchange, headOf(exchange, parts) + line, parts.body.source, isHead);
}

// Missing bytes would be taken from the next response, and excess bytes would be read as one.
const lengthError = () => new TypeError('Response body stream does not have the length of its Content-Length header');

async function writeStream(exchange, parts, body, length) {
  const { connection } = exchange;
  const isChunked = length === null && exchange.version === 11;
  if (!isChunked && length === null) exchange.keepsAlive = false;
  const head = toLatin(
    `${headOf(exchange, parts)}${isChunked ? 'Transfer-Encoding: chunked\r\n' : length === null ? '' : `Content-Length: ${length}\r\n`}\r\n`,
  );
  const stream = body.asStream();
  body.isUsed = true;
  const reader = stream.getReader();
  let isHeadWritten = false;
  let remaining = isChunked || length === null ? Infinity : Number(length); // the remaining part of the declared length
  const onGone = (reason) => {
    AnyCatch(reader.cancel(reason), () => {});
  };
  exchange.onGone = onGone;
  try {
    for (;;) {
      const { done: isDone, value } = await reader.read();
      if (connection.isGone || connection.hasLeft) return;
      if (isDone) break;
      const bytes = typeof value === 'string' ? host.native.encodeUtf8(value) : bytesOf(value);
      if (bytes === undefined) throw new TypeError('Response body stream yielded a chunk that is neither bytes nor a string');
      remaining -= bytes.length;
      if (remaining < 0) throw lengthError();
      if (!isHeadWritten) {
        isHeadWritten = true;
        connection.write(0, head, undefined);
      }
      if (bytes.length === 0) continue;
      exchange.observer?.sent(bytes);
      let waits;
      if (isChunked) {
        connection.write(0, `${NumberToString(bytes.length, 16)}\r\n`, bytes);
        waits = connection.write(0, '\r\n', undefined);
      } else {
        waits = connection.write(0, bytes, undefined);
      }
      if (waits === QUEUED) await connection.whenDrained();
      if (connection.isGone || connection.hasLeft) {
        await reader.cancel();
        return;
      }
    }
    if (remaining > 0 && remaining < Infinity) throw lengthError();
    if (!isHeadWritten) connection.write(0, head, undefined);
    if (isChunked) connection.write(0, '0\r\n\r\n', undefined);
    done(exchange);
  } catch (error) {
    if (!isHeadWritten) {
      exchange.isAnswered = false;
      exchange.fail(error);
      return;
    }
    exchange.fail(error); // the part already sent cannot be undone: the connection is aborted
  }
}

function toLatin(head) {
  return RegExpTest(BEYOND_ASCII, head) ? require('node/buffer/buffer').Buffer.from(head, 'latin1') : head;
}

/** Sends a response of the server itself. */
function respondPlain(exchange, status, text = '') {
  exchange.isAnswered = true;
  const head = headOf(exchange, {
    status,
    reason: '',
    headers: undefined,
    implied: text === '' ? null : 'text/plain;charset=utf-8',
  });
  writeWhole(exchange, head, text, exchange.method === 'HEAD');
}

module.exports = { respond, respondPlain, toLatin, ENDS };
