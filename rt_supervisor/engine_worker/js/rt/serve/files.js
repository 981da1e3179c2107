'use strict';
// Owns: files and blobs as answers: a range of them, or none of them where the client has the same already. A file is read
// as it is sent, a piece at a time.

const { weakTag, isRefused, isFresh, rangeOf } = require('rt/serve/conditions');

const PIECE_BYTES = 256 * 1024;

function respondBlob(exchange, parts, blob, isHead, tools) {
  const { headOf, toLatin } = tools;
  const path = typeof blob.name === 'string' && typeof blob.exists === 'function' ? blob : undefined; // a file of RT
  let { size } = blob;
  const extra = [];
  let start = 0;
  let end = size;
  let { status } = parts;
  if (path !== undefined) {
    if (!require('node/fs/sync').existsSync(blob.name)) {
      const error = Object.assign(new Error(`ENOENT: no such file or directory, open '${blob.name}'`), {
        code: 'ENOENT',
        errno: -2,
        syscall: 'open',
        path: blob.name,
      });
      exchange.isAnswered = false;
      parts.body.isUsed = false;
      if (tools.isShared && exchange.fallBack()) return;
      if (exchange.connection.server.onError !== undefined) exchange.fail(error);
      else require('rt/serve/answer').respondPlain(exchange, 404);
      return;
    }
    ({ size } = blob);
    end = size;
    const modified = new Date(blob.lastModified).toUTCString();
    if (!parts.headers?.has('last-modified')) extra.push(`Last-Modified: ${modified}`);
    if (!parts.headers?.has('etag')) extra.push(`ETag: ${weakTag(size, blob.lastModified)}`);
    if (!parts.headers?.has('accept-ranges')) extra.push('Accept-Ranges: bytes');
    if (status === 200 && (exchange.method === 'GET' || isHead)) {
      const tag = parts.headers?.get('etag') ?? weakTag(size, blob.lastModified);
      if (isRefused(exchange, tag, modified)) {
        finishHead(exchange, { ...parts, status: 412, implied: null }, extra, 0, tools);
        return;
      }
      if (isFresh(exchange, tag, parts.headers?.get('last-modified') ?? modified)) {
        finishHead(exchange, { ...parts, status: 304, implied: null }, extra, undefined, tools);
        return;
      }
      const range = rangeOf(exchange, size, tag, modified);
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
        [start, end] = range;
        status = 206;
        extra.push(`Content-Range: bytes ${start}-${end - 1}/${size}`);
      }
    }
  }
  if (parts.implied === null && !parts.headers?.has('content-type') && blob.type) extra.push(`Content-Type: ${blob.type}`);
  const head = toLatin(
    `${headOf(exchange, { ...parts, status })}${extra.map((line) => `${line}\r\n`).join('')}Content-Length: ${end - start}\r\n\r\n`,
  );
  exchange.connection.write(0, head, undefined);
  if (isHead || end === start) {
    tools.done(exchange);
    return;
  }
  send(exchange, blob, path, start, end, tools);
}

function finishHead(exchange, parts, extra, length, { headOf, toLatin, done }) {
  const lines = extra.map((line) => `${line}\r\n`).join('');
  exchange.connection.write(
    0,
    toLatin(`${headOf(exchange, parts)}${lines}${length === undefined ? '' : `Content-Length: ${length}\r\n`}\r\n`),
    undefined,
  );
  done(exchange);
}

async function send(exchange, blob, file, start, end, { done }) {
  const { connection } = exchange;
  try {
    for (let place = start; place < end; place += PIECE_BYTES) {
      const piece = new Uint8Array(await blob.slice(place, Math.min(place + PIECE_BYTES, end)).arrayBuffer());
      if (connection.isGone) return;
      if (piece.length < Math.min(PIECE_BYTES, end - place)) throw new Error('the file became shorter while it was sent');
      if (connection.write(0, piece, undefined) === 1) await connection.whenDrained();
      if (connection.isGone) return;
    }
    done(exchange);
  } catch (error) {
    exchange.fail(error);
  }
}

module.exports = { respondBlob };
