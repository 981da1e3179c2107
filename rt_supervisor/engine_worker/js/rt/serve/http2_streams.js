'use strict';
// Owns: RT.serve over HTTP/2: for the rest of rt/serve, each stream of a session is a connection with one request. An HTTP/1
// head written to it is sent as HTTP/2 header fields.

const {
  ArrayPush,
  RegExpExec,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringToLowerCase,
  TypedArraySlice,
  intact,
} = require('internal/primordials');
const { OVER_HTTP2 } = require('rt/serve/exchange');
const numbers = require('internal/http_numbers');
const { ServerHttp2Session } = require('node/http2/server');

const HAS_BODY = 4;
const CANCEL = 8;
const MOST_STREAMS = 100;
const NOT_SENT = { __proto__: null, connection: true, 'keep-alive': true, 'transfer-encoding': true };

/**
 * Serves HTTP/2 over `socket`. `open(stream)` returns the connection for a new stream, `close(stream)` reports its end,
 * `touch(stream)` reports activity. Returns the session.
 */
function serveSession(socket, { idleMs, open, close, touch }) {
  // Queued output belongs to handlers, and the number of streams limits it, so the session must not reject streams because of
  // it.
  const options = { settings: { maxConcurrentStreams: MOST_STREAMS }, maxSessionMemory: Infinity };
  const session = new ServerHttp2Session(undefined, socket, options);
  session.on('error', () => {});
  session.on('stream', (stream, headers, flags, raw) => serveStream(stream, raw, { open, close, touch }));
  if (idleMs > 0) session.setTimeout(idleMs).on('timeout', () => session.close());
  return session;
}

function serveStream(stream, raw, { open, close, touch }) {
  const connection = open(stream);
  let method = 'GET';
  let path = '/';
  const fields = [];
  let hasHost = false;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i];
    if (name === ':method') method = raw[i + 1];
    else if (name === ':path') path = raw[i + 1];
    else if (name === ':authority') {
      hasHost = true;
      ArrayPush(fields, 'host');
      ArrayPush(fields, raw[i + 1]);
    } else if (name[0] !== ':' && !(name === 'host' && hasHost)) {
      ArrayPush(fields, name);
      ArrayPush(fields, raw[i + 1]);
    }
  }
  stream.on('error', () => {});
  stream.on('data', (bytes) => {
    touch(stream);
    connection.body(TypedArraySlice(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  });
  stream.on('end', () => {
    if (stream.aborted) return;
    connection.end();
  });
  stream.on('drain', () => connection.handleDrain());
  stream.on('close', () => {
    connection.handleDrain();
    if (stream.aborted || stream.rstCode !== 0 || !stream.writableFinished) connection.handleClose();
    close(stream);
  });
  connection.head(method, path, OVER_HTTP2, fields, stream.isRemoteEnded ? 0 : HAS_BODY);
}

/** Converts an HTTP/1 head to header fields. */
function fieldsOf(head) {
  const text = typeof head === 'string' ? head : head.toString('latin1');
  const lines = StringSplit(text, '\r\n');
  const headers = { __proto__: null, ':status': Number(RegExpExec(/^HTTP\/1\.1 (\d+)/, lines[0])[1]) };
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index];
    const colon = StringIndexOf(line, ':');
    if (colon <= 0) continue;
    const name = StringToLowerCase(StringSlice(line, 0, colon));
    if (NOT_SENT[name]) continue;
    const value = StringSlice(line, colon + 2);
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else headers[name] = typeof before === 'string' ? [before, value] : [...intact(before), value];
  }
  return headers;
}

/** Implements a source's `write` for a stream: 0 written, 1 queued, 2 the client has disconnected. */
function writeTo(stream, flags, head, body) {
  if (stream.destroyed || stream.closed) return 2;
  const bytes = typeof body === 'string' ? host.native.encodeUtf8(body) : body;
  let isMore = true;
  if (stream.sentHeaders === undefined) {
    const headers = fieldsOf(head);
    if (flags & numbers.ADDS_LENGTH) headers['content-length'] = `${bytes?.length ?? 0}`;
    stream.respond(headers, { sendDate: false });
    if (stream.isLocalEnded) return 0;
  } else if (head !== undefined && head.length > 0) isMore = stream.write(head);
  if (bytes !== undefined && bytes.length > 0 && !(flags & numbers.OMITS_BODY)) isMore = stream.write(bytes);
  if (flags & numbers.ENDS) stream.end();
  return isMore ? 0 : 1;
}

/** Cancels a stream whose response is incomplete. */
function release(stream) {
  if (!stream.writableEnded) stream.close(CANCEL);
}

module.exports = { serveSession, writeTo, release };
