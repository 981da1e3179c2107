'use strict';
// Owns: files and blobs as answers: a range of them, or none of them where the client has the same already. The system sends a
// file by itself where nothing lies between it and the client; over TLS it is read as it is sent, a piece at a time.

const { weakTag, isRefused, isFresh, rangeOf } = require('rt/serve/conditions');

const PIECE_BYTES = 256 * 1024;

function respondBlob(exchange, parts, blob, isHead, tools) {
  const { headOf, toLatin } = tools;
  const isFile = typeof blob.exists === 'function'; // a file of RT
  const file = isFile ? require('rt/file').RTFile.factsOf(blob) : null; // null: no path
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
    const modified = new Date(file.modifiedMs).toUTCString();
    const own = weakTag(size, file.modifiedMs);
    if (!parts.headers?.has('last-modified')) extra.push(`Last-Modified: ${modified}`);
    if (!parts.headers?.has('etag')) extra.push(`ETag: ${own}`);
    if (!parts.headers?.has('accept-ranges')) extra.push('Accept-Ranges: bytes');
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
      // Whoever says which part it is has chosen it.
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

/** A file that is not there, or a folder. */
function refuseFile(exchange, parts, blob, file, { isShared }) {
  const [code, errno, reason] =
    file === undefined
      ? ['ENOENT', -2, 'no such file or directory, open']
      : ['EISDIR', -21, 'illegal operation on a directory, open'];
  const error = Object.assign(new Error(`${code}: ${reason} '${blob.name}'`), { code, errno, syscall: 'open', path: blob.name });
  exchange.isAnswered = false;
  parts.body.isUsed = false;
  if (isShared && exchange.fallBack()) return;
  if (exchange.connection.server.onError !== undefined || file !== undefined) exchange.fail(error);
  else require('rt/serve/answer').respondPlain(exchange, 404);
}

/** The bytes go from the file to the client without coming here; false where the file cannot be opened that way. */
function sendNatively(exchange, head, file, start, end, { done }) {
  const { connection } = exchange;
  const outcome = connection.writeFile(head, file.path, file.start + start, end - start);
  if (outcome < 0) return false;
  if (outcome === 0) done(exchange);
  else if (outcome === 1)
    connection.whenDrained().then(() => {
      if (!connection.isGone) done(exchange);
    });
  return true;
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

async function send(exchange, blob, start, end, { done }) {
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
