'use strict';
// Owns: the TLS connections of RT.serve. The native half encrypts (native/src/http/secure.rs), so they behave like plain
// connections. With HTTP/2, each stream of a session is a connection, which `Streams` reads and writes.

const { ArrayPush, DateNow, MapDelete, MapGet, MapSet, MapValues, SetAdd, SetDelete, intact } = require('internal/primordials');
const { NativeSource } = require('rt/serve/native_source');

const FIRST_STREAM = 2 ** 30; // above all connection numbers

/** The streams of all sessions, each with a unique number: acts as the source of their connections. */
class Streams {
  #entries = new Map(); // number -> { stream, carrier, connection, active, idleMs }
  #next = FIRST_STREAM;
  #peerOf;

  constructor(peerOf) {
    this.#peerOf = peerOf;
  }

  get count() {
    return this.#entries.size;
  }
  connection(number) {
    return MapGet(this.#entries, number)?.connection;
  }
  *connections() {
    for (const { connection } of intact(MapValues(this.#entries))) yield connection;
  }
  /** Adds a stream; `carrier` is the number of the underlying connection. */
  open(stream, carrier, makeConnection) {
    const number = this.#next++;
    const entry = { stream, carrier, connection: makeConnection(number, this), active: DateNow(), idleMs: undefined };
    MapSet(this.#entries, number, entry);
    return entry;
  }

  write(number, flags, head, body) {
    const entry = MapGet(this.#entries, number);
    if (entry === undefined || entry.stream.destroyed) return 2;
    entry.active = DateNow();
    return require('rt/serve/http2_streams').writeTo(entry.stream, flags, head, body);
  }
  release(number) {
    const entry = MapGet(this.#entries, number);
    if (entry === undefined) return;
    MapDelete(this.#entries, number);
    require('rt/serve/http2_streams').release(entry.stream);
  }
  pause(number) {
    MapGet(this.#entries, number)?.stream.pause();
  }
  resume(number) {
    MapGet(this.#entries, number)?.stream.resume();
  }
  finish(number) {
    MapGet(this.#entries, number)?.stream.end();
  }
  waiting(number) {
    return MapGet(this.#entries, number)?.stream.writableLength ?? 0;
  }
  setIdleLimit(number, ms) {
    const entry = MapGet(this.#entries, number);
    if (entry !== undefined) entry.idleMs = ms;
  }
  peer(number) {
    const entry = MapGet(this.#entries, number);
    return entry && this.#peerOf(entry.carrier);
  }
  sweep(usualMs) {
    const now = DateNow();
    const late = [];
    for (const {
      0: number,
      1: { active, idleMs = usualMs },
    } of intact(this.#entries))
      if (idleMs > 0 && now - active > idleMs) ArrayPush(late, number, 0);
    return late;
  }
}

class TlsSource extends NativeSource {
  #acceptor;
  #streams = new Streams((number) => this.peer(number));
  #sessions = new Set();
  #idleMs;
  #makeConnection;

  constructor({ acceptor, idleMs, ...place }, makeConnection) {
    super({ ...place, acceptor: acceptor.number }, makeConnection);
    this.#acceptor = acceptor;
    this.#idleMs = idleMs;
    this.#makeConnection = makeConnection;
  }

  get count() {
    return super.count + this.#streams.count;
  }
  connection(number) {
    return number < FIRST_STREAM ? super.connection(number) : this.#streams.connection(number);
  }
  *connections() {
    yield* super.connections();
    yield* this.#streams.connections();
  }

  /** Called when TLS has negotiated HTTP/2 on a connection. */
  carrierOf(number) {
    const { Http2Carrier } = require('rt/serve/http2_carrier');
    const carrier = new Http2Carrier(this, number);
    const entries = new Map(); // stream -> its entry
    const session = require('rt/serve/http2_streams').serveSession(carrier.socket, {
      idleMs: this.#idleMs,
      open: (stream) => {
        const entry = this.#streams.open(stream, number, this.#makeConnection);
        MapSet(entries, stream, entry);
        return entry.connection;
      },
      touch: (stream) => {
        MapGet(entries, stream).active = DateNow();
      },
      close: (stream) => MapDelete(entries, stream),
    });
    SetAdd(this.#sessions, session);
    session.on('close', () => SetDelete(this.#sessions, session));
    this.setIdleLimit(number, 0); // the session has its own limit
    return carrier;
  }

  sweep(usualMs) {
    return [...intact(super.sweep(usualMs)), ...intact(this.#streams.sweep(usualMs))];
  }
  stop() {
    super.stop();
    for (const session of intact(this.#sessions)) session.close();
  }
  close() {
    if (this.isClosed) return;
    for (const session of intact(this.#sessions)) session.destroy();
    super.close();
    this.#acceptor.free();
  }
}

module.exports = { TlsSource };
