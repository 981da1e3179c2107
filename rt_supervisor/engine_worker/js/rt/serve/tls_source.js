'use strict';
// Owns: connections of RT.serve over TLS: node:tls has the sockets, the parser reads what they decrypt; to the connections it
// is what rt/serve/native_source.js is. Where TLS has chosen HTTP/2, rt/serve/http2_streams.js reads and writes.

const { AnySlice, AnySubarray } = require('internal/any_kind');
const {
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  DateNow,
  MapDelete,
  MapGet,
  MapHas,
  MapSet,
  MapValues,
  ObjectAssign,
  SetAdd,
  SetDelete,
  StringSlice,
  TypedArraySlice,
  intact,
} = require('internal/primordials');
const { HttpParser } = require('internal/http_parser');
const { wrong } = require('rt/serve/options');
const { kListenError } = require('node/net/server');
const { FLAGS } = require('rt/serve/native_source');
const builtins = require('node/module/builtins');

const LONGEST_HEAD_MS = 60_000;
const EADDRNOTAVAIL = -99;

class TlsSource {
  #server;
  #sockets = new Map(); // number -> what is known of it
  #next = 0;
  #sessions = new Set(); // of HTTP/2
  #idleMs;
  #makeConnection;
  isClosed = false;

  constructor({ address, port, headLimit, tls, http2, idleMs, reusePort, ipv6Only }, makeConnection) {
    this.#makeConnection = makeConnection;
    this.headLimit = headLimit;
    this.#idleMs = idleMs;
    const [first, ...others] = intact(ArrayIsArray(tls) ? tls : [tls]);
    for (const each of intact(others)) if (!each?.serverName) throw wrong('SNI tls object must have a serverName');
    this.#server = builtins
      .load('tls')
      .createServer(
        { ALPNProtocols: http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'], allowHalfOpen: true, ...withFiles(first) },
        (socket) => this.#welcome(socket),
      );
    for (const each of intact(others)) this.#server.addContext(each.serverName, withFiles(each));
    this.#server.on('tlsClientError', () => {});
    this.#server.on('error', () => {});
    this.#server.listen(port === -1 ? { path: address } : { host: address, port, reusePort, ipv6Only });
    // A name that has to be looked up is not listening yet; it counts as no address of this machine.
    if (!this.#server.listening)
      throw ObjectAssign(new Error('listen'), { errno: this.#server[kListenError]?.errno ?? EADDRNOTAVAIL });
    this.port = port === -1 ? 0 : this.#server.address().port;
    this.#server.unref();
  }

  get count() {
    return this.#sockets.size;
  }
  connection(number) {
    return MapGet(this.#sockets, number)?.connection;
  }
  *connections() {
    for (const { connection } of intact(MapValues(this.#sockets))) yield connection;
  }

  #welcome(socket) {
    if (socket.alpnProtocol === 'h2') {
      this.#welcomeSession(socket);
      return;
    }
    const number = this.#next++;
    const parser = new HttpParser(false, this.headLimit);
    const connection = this.#makeConnection(number);
    const entry = {
      socket,
      parser,
      connection,
      isRaw: false,
      held: undefined,
      active: DateNow(),
      idleMs: undefined,
      waiting: 0,
      headSince: DateNow(),
    };
    MapSet(this.#sockets, number, entry);
    const receiver = {
      head: (...args) => {
        entry.headSince = undefined;
        connection.head(...intact(args));
      },
      body: (bytes) => connection.body(AnySlice(bytes)),
      end: () => connection.end(),
    };
    entry.receiver = receiver;
    socket.on('data', (bytes) => {
      entry.active = DateNow();
      this.#take(entry, bytes);
    });
    socket.on('end', () => {
      if (MapHas(this.#sockets, number)) connection.ended();
    });
    socket.on('drain', () => connection.drained());
    socket.on('error', () => {});
    socket.on('close', () => {
      if (MapHas(this.#sockets, number)) connection.gone();
    });
  }

  #welcomeSession(socket) {
    const entries = new Map(); // stream -> its entry
    const session = require('rt/serve/http2_streams').serveSession(socket, {
      idleMs: this.#idleMs,
      open: (stream) => {
        const number = this.#next++;
        const connection = this.#makeConnection(number);
        const entry = { socket: stream, carrier: socket, connection, active: DateNow(), idleMs: undefined, headSince: undefined };
        MapSet(entries, stream, entry);
        MapSet(this.#sockets, number, entry);
        return connection;
      },
      touch: (stream) => {
        MapGet(entries, stream).active = DateNow();
      },
      close: (stream) => MapDelete(entries, stream),
    });
    SetAdd(this.#sessions, session);
    session.on('close', () => SetDelete(this.#sessions, session));
  }

  #take(entry, bytes) {
    if (entry.isRaw) entry.connection.raw(TypedArraySlice(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
    else if (entry.held !== undefined) ArrayPush(entry.held, bytes);
    else this.#parse(entry, bytes);
  }

  #parse(entry, bytes) {
    if (entry.parser.isFreed) return;
    const stopped = entry.parser.execute(bytes, entry.receiver);
    if (stopped?.isUpgrade) {
      const rest = AnySubarray(bytes, stopped.offset);
      if (entry.isRaw)
        entry.connection.raw(AnySlice(rest)); // the upgrade was accepted during the callback
      else entry.held = [rest];
    } else if (stopped !== undefined && !entry.parser.isFreed) {
      entry.connection.failed(StringSlice(stopped.error.code, 4));
    }
  }

  write(number, flags, head, body) {
    const entry = MapGet(this.#sockets, number);
    if (entry === undefined || entry.socket.destroyed) return 2;
    const { socket } = entry;
    entry.active = DateNow();
    if (entry.carrier !== undefined) return require('rt/serve/http2_streams').writeTo(socket, flags, head, body);
    const bytes = typeof body === 'string' ? host.native.encodeUtf8(body) : body;
    socket.cork();
    let isMore = typeof head === 'string' ? socket.write(head, 'latin1') : socket.write(head);
    if (flags & FLAGS.ADDS_LENGTH) isMore = socket.write(`Content-Length: ${bytes?.length ?? 0}\r\n\r\n`, 'latin1');
    if (bytes !== undefined && bytes.length > 0 && !(flags & FLAGS.OMITS_BODY)) isMore = socket.write(bytes);
    socket.uncork();
    if (flags & FLAGS.ENDS) socket.end();
    return isMore ? 0 : 1;
  }
  release(number) {
    const entry = MapGet(this.#sockets, number);
    if (entry === undefined) return;
    MapDelete(this.#sockets, number);
    if (entry.carrier !== undefined) {
      require('rt/serve/http2_streams').release(entry.socket);
      return;
    }
    entry.parser.free();
    entry.socket.destroySoon();
  }
  pause(number) {
    MapGet(this.#sockets, number)?.socket.pause();
  }
  resume(number) {
    MapGet(this.#sockets, number)?.socket.resume();
  }
  upgrade(number) {
    const entry = MapGet(this.#sockets, number);
    if (entry === undefined) return new Uint8Array(0);
    entry.isRaw = true;
    entry.idleMs = 0;
    const held = entry.held?.[0] ?? new Uint8Array(0);
    entry.held = undefined;
    return held;
  }
  refuseUpgrade(number) {
    const entry = MapGet(this.#sockets, number);
    const held = entry?.held ?? [];
    if (entry !== undefined) entry.held = undefined;
    for (const bytes of intact(held)) this.#parse(entry, bytes);
  }
  finish(number) {
    MapGet(this.#sockets, number)?.socket.end();
  }
  waiting(number) {
    return MapGet(this.#sockets, number)?.socket.writableLength ?? 0;
  }
  setIdleLimit(number, ms) {
    const entry = MapGet(this.#sockets, number);
    if (entry !== undefined) entry.idleMs = ms;
  }
  peer(number) {
    const entry = MapGet(this.#sockets, number);
    const socket = entry?.carrier ?? entry?.socket;
    return socket === undefined
      ? undefined
      : { address: socket.remoteAddress, family: socket.remoteFamily, port: socket.remotePort };
  }
  sweep(usualMs) {
    const now = DateNow();
    const late = [];
    for (const {
      0: number,
      1: { active, idleMs = usualMs, headSince },
    } of intact(this.#sockets)) {
      const isSlow = headSince !== undefined && now - headSince > LONGEST_HEAD_MS;
      if (isSlow || (idleMs > 0 && now - active > idleMs)) ArrayPush(late, number, isSlow ? 1 : 0);
    }
    return late;
  }
  stop() {
    this.#server.close();
    for (const session of intact(this.#sessions)) session.close();
  }
  close() {
    this.isClosed = true;
    for (const session of intact(this.#sessions)) session.destroy();
  }
}

/** Options of RT as node:tls takes them: keys and certificates may be files of RT. */
function withFiles(tls) {
  const read = (value) => {
    if (ArrayIsArray(value)) return ArrayMap(value, read);
    return typeof value === 'object' && value !== null && typeof value.name === 'string' && typeof value.exists === 'function'
      ? (require('node/fs/sync').readFileSync?.(value.name) ?? builtins.load('fs').readFileSync(value.name))
      : value;
  };
  const { serverName, key, cert, ca, keyFile, certFile, caFile, ...rest } = tls;
  const { readFileSync } = builtins.load('fs');
  return {
    ...rest,
    key: keyFile === undefined ? read(key) : readFileSync(keyFile),
    cert: certFile === undefined ? read(cert) : readFileSync(certFile),
    ...(ca === undefined && caFile === undefined ? {} : { ca: caFile === undefined ? read(ca) : readFileSync(caFile) }),
  };
}

module.exports = { TlsSource };
