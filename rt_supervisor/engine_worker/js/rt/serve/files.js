// @ts-check
'use strict';
// Owns: responses with files and blobs: a range, or no body if the client's copy is current. The system sends a file directly
// to a plain connection; over TLS it is read and sent in chunks.

const { AnySlice } = require('internal/any_kind');
const {
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  DateToUTCString,
  MathMax,
  MathMin,
  ObjectAssign,
  PromiseThen,
  intact,
} = require('internal/primordials');
const numbers = require('internal/http_numbers');
const { weakTag, isRefused, isFresh, rangeOf } = require('rt/serve/conditions');

const PIECE_BYTES = 256 * 1024;

function respondBlob(exchange, parts, blob, isHead, tools) {
  const { headOf, toLatin } = tools;
  const isFile = typeof blob.exists === 'function'; // a file of RT
  const file = isFile ? require('rt/files/file').RTFile.factsOf(blob) : null; // null: a descriptor
  if (file === undefined || file?.isDirectory) {
    refuseFile(exchange, parts, blob, file, tools);
    return;
  }
  const size = file?.size ?? blob.size;
  const extra = [];
  let start = 0;
  let end = size;
  let { status } = parts;
  if (file !== null) {
    const modified = DateToUTCString(new Date(file.modifiedMs));
    const own = weakTag(size, file.modifiedMs);
    if (!parts.headers?.has('last-modified')) ArrayPush(extra, `Last-Modified: ${modified}`);
    if (!parts.headers?.has('etag')) ArrayPush(extra, `ETag: ${own}`);
    if (!parts.headers?.has('accept-ranges')) ArrayPush(extra, 'Accept-Ranges: bytes');
    if (status === 200 && (exchange.method === 'GET' || isHead)) {
      const tag = parts.headers?.get('etag') ?? own;
      if (isRefused(exchange, tag, modified)) {
        finishHead(exchange, { ...parts, status: 412, implied: null }, extra, 0, tools);
        return;
      }
      if (isFresh(exchange, tag, parts.headers?.get('last-modified') ?? modified)) {
        finishHead(exchange, { ...parts, status: 304, implied: null }, extra, undefined, tools);
        return;
      }
      // With a Content-Range header, the program has already selected a part.
      const range = parts.headers?.has('content-range') ? undefined : rangeOf(exchange, size, tag, modified);
      if (range === null) {
        finishHead(
          exchange,
          { ...parts, status: 416, implied: null },
          ['Accept-Ranges: bytes', `Content-Range: bytes */${size}`],
          0,
          tools,
        );
        return;
      }
      if (range !== undefined) {
        [start, end] = intact(range);
        status = 206;
        ArrayPush(extra, `Content-Range: bytes ${start}-${end - 1}/${size}`);
      } else if (file.isPart && !isHead && !tools.isShared) {
        // As in Bun, a slice is sent with its Content-Range, unless the program sets one.
        status = 206;
        if (!parts.headers?.has('content-range')) {
          ArrayPush(extra, `Content-Range: bytes ${file.start}-${MathMax(file.start, file.start + size - 1)}/*`);
        }
      }
    }
  }
  if (parts.implied === null && !parts.headers?.has('content-type') && blob.type) ArrayPush(extra, `Content-Type: ${blob.type}`);
  const head = toLatin(
    `${headOf(exchange, { ...parts, status })}${ArrayJoin(
      ArrayMap(extra, (line) => `${line}\r\n`),
      '',
    )}Content-Length: ${end - start}\r\n\r\n`,
  );
  if (isHead || end === start) {
    exchange.connection.write(0, head, undefined);
    tools.done(exchange);
    return;
  }
  if (file === null || !exchange.connection.sendsFiles || !sendNatively(exchange, head, file, start, end, tools)) {
    exchange.connection.write(0, head, undefined);
    send(exchange, blob, start, end, tools);
  }
}

/** Answers for a missing file or a folder. */
function refuseFile(exchange, parts, blob, file, { isShared }) {
  const {
    0: code,
    1: errno,
    2: reason,
  } = file === undefined
    ? ['ENOENT', -2, 'no such file or directory, open']
    : ['EISDIR', -21, 'illegal operation on a directory, open'];
  const error = ObjectAssign(new Error(`${code}: ${reason} '${blob.name}'`), { code, errno, syscall: 'open', path: blob.name });
  exchange.isAnswered = false;
  parts.body.isUsed = false;
  if (isShared && exchange.fallBack()) return;
  if (exchange.connection.server.onError !== undefined || file !== undefined) exchange.fail(error);
  else require('rt/serve/answer').respondPlain(exchange, 404);
}

/** Sends bytes from the file to the client without reading them here. Returns false if the file cannot be opened for that. */
function sendNatively(exchange, head, file, start, end, { done }) {
  const { connection } = exchange;
  const outcome = connection.writeFile(head, file.path, file.start + start, end - start);
  if (outcome < 0) return false;
  if (outcome === numbers.WRITTEN) done(exchange);
  else if (outcome === numbers.QUEUED)
    PromiseThen(connection.whenDrained(), () => {
      if (!connection.isGone) done(exchange);
    });
  return true;
}

function finishHead(exchange, parts, extra, length, { headOf, toLatin, done }) {
  const lines = ArrayJoin(
    ArrayMap(extra, (line) => `${line}\r\n`),
    '',
  );
  exchange.connection.write(
    0,
    toLatin(`${headOf(exchange, parts)}${lines}${length === undefined ? '' : `Content-Length: ${length}\r\n`}\r\n`),
    undefined,
  );
  done(exchange);
}

async function send(exchange, blob, start, end, { done }) {
  const { connection } = exchange;
  try {
    for (let place = start; place < end; place += PIECE_BYTES) {
      const piece = new Uint8Array(await AnySlice(blob, place, MathMin(place + PIECE_BYTES, end)).arrayBuffer());
      if (connection.isGone) return;
      if (piece.length < MathMin(PIECE_BYTES, end - place)) throw new Error('the file became shorter while it was sent');
      if (connection.write(0, piece, undefined) === numbers.QUEUED) await connection.whenDrained();
      if (connection.isGone) return;
    }
    done(exchange);
  } catch (error) {
    exchange.fail(error);
  }
}

module.exports = { respondBlob };
