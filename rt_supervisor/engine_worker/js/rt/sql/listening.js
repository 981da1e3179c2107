'use strict';
// Owns: LISTEN: one connection of a client that receives notifications, and the program's listeners by channel. A lost
// connection is reestablished with its channels.
//
// none --listen()--> open <--> lost; the last unlisten(), close() --> none

const {
  ArrayIncludes,
  ArrayIndexOf,
  ArrayPush,
  ArraySome,
  ArraySplice,
  MapDelete,
  MapGet,
  MapKeys,
  MapSet,
  MathMin,
  PromiseThen,
  StringReplaceAll,
  intact,
} = require('internal/primordials');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { codes } = require('internal/errors/errors');
const { Connection } = require('rt/sql/connection');
const { failure } = require('rt/sql/errors');

const MOST_NAME_BYTES = 63;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 20_000;

function checkedChannel(channel) {
  if (typeof channel !== 'string' || channel === '')
    throw new codes.ERR_INVALID_ARG_VALUE('channel', channel, 'must be a non-empty string');
  if (host.native.encodeUtf8(channel).length > MOST_NAME_BYTES)
    throw new codes.ERR_INVALID_ARG_VALUE('channel', channel, `must be at most ${MOST_NAME_BYTES} bytes`);
  return channel;
}
function checkedPayload(payload) {
  if (payload !== undefined && typeof payload !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('payload', 'string', payload);
  return payload ?? '';
}
function checkedListener(listener, name) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(name, 'Function', listener);
  return listener;
}
const quoteName = (channel) => `"${StringReplaceAll(channel, '"', '""')}"`;

class ListenSubscription {
  #listening;
  #entry;

  constructor(listening, channel, entry) {
    this.#listening = listening;
    this.#entry = entry;
    this.channel = channel;
  }
  unlisten() {
    return this.#listening.unlisten(this.channel, this.#entry);
  }
  [Symbol.asyncDispose]() {
    return this.unlisten();
  }
}

class Listening {
  #options;
  #channels = new Map(); // name -> [{ onnotify, onlisten }]
  #opening; // the promise of a connection that listens to all channels
  #connection;
  #isClosed = false;
  #pauseMs = FIRST_PAUSE_MS;
  #timer;

  constructor(options) {
    this.#options = options;
  }

  async listen(channel, onnotify, onlisten) {
    checkedChannel(channel);
    const entry = { onnotify: checkedListener(onnotify, 'onnotify'), onlisten };
    if (onlisten !== undefined) checkedListener(onlisten, 'onlisten');
    if (this.#isClosed) throw failure('CONNECTION_CLOSED', 'Connection closed');
    const others = MapGet(this.#channels, channel);
    const entries = others ?? [];
    ArrayPush(entries, entry);
    if (others === undefined) MapSet(this.#channels, channel, entries);
    try {
      if (this.#connection === undefined) {
        await (this.#opening ??= this.#open());
        if (!this.#isListening(channel)) throw failure('CONNECTION_CLOSED', 'Connection closed');
      } else {
        if (others === undefined) await this.#say(`LISTEN ${quoteName(channel)}`);
        entry.onlisten?.();
      }
    } catch (error) {
      this.#remove(channel, entry);
      this.#endIfIdle();
      throw error;
    }
    return new ListenSubscription(this, channel, entry);
  }
  #isListening(channel) {
    return this.#connection !== undefined && MapGet(this.#channels, channel) !== undefined;
  }

  async #open() {
    const connection = new Connection(this.#options, {
      onClose: () => this.#handleLoss(connection),
      notified: (channel, text) => this.#deliver(channel, text),
    });
    try {
      await connection.open();
      let channels;
      do {
        channels = [...intact(MapKeys(this.#channels))];
        let text = '';
        for (const channel of intact(channels)) text += `LISTEN ${quoteName(channel)};`;
        await connection.run({ text, values: [], isSimple: true, mode: 'objects' });
      } while (ArraySome([...intact(MapKeys(this.#channels))], (channel) => !ArrayIncludes(channels, channel)));
    } finally {
      this.#opening = undefined;
    }
    if (this.#isClosed) {
      connection.end();
      return;
    }
    connection.ref(); // keeps the program alive, which waits for notifications
    this.#connection = connection;
    this.#pauseMs = FIRST_PAUSE_MS;
    for (const { 1: entries } of intact([...intact(this.#channels)]))
      for (const { onlisten } of intact([...intact(entries)])) onlisten?.();
  }
  async #say(text) {
    const connection = this.#connection;
    // Queries of one connection run one after the other; the only result of LISTEN is its completion.
    const before = this.#last;
    const mine = (async () => {
      await before;
      if (connection.isGone) return;
      await connection.run({ text, values: [], isSimple: true, mode: 'objects' });
      if (!connection.isGone) connection.ref();
    })();
    this.#last = PromiseThen(
      mine,
      () => {},
      () => {},
    );
    await mine;
  }
  #last;

  #deliver(channel, text) {
    for (const { onnotify } of intact([...intact(MapGet(this.#channels, channel) ?? [])])) {
      try {
        onnotify(text);
      } catch (error) {
        host.reportException(error);
      }
    }
  }

  /** Called when the connection is lost: retries with increasing delays while there are listeners. */
  #handleLoss(connection) {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#retry();
  }
  #retry() {
    if (this.#isClosed || this.#channels.size === 0 || this.#timer !== undefined) return;
    this.#timer = startTimer(() => {
      this.#timer = undefined;
      if (this.#channels.size === 0 || this.#connection !== undefined || this.#opening !== undefined) return;
      this.#opening = this.#open();
      PromiseThen(
        this.#opening,
        () => {},
        () => this.#retry(),
      );
    }, this.#pauseMs);
    this.#pauseMs = MathMin(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #remove(channel, entry) {
    const entries = MapGet(this.#channels, channel);
    const index = entries === undefined ? -1 : ArrayIndexOf(entries, entry);
    if (index === -1) return false;
    ArraySplice(entries, index, 1);
    if (entries.length > 0) return false;
    MapDelete(this.#channels, channel);
    return true;
  }
  #endIfIdle() {
    if (this.#channels.size > 0) return;
    stopTimer(this.#timer);
    this.#timer = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.end();
  }

  async unlisten(channel, entry) {
    if (!this.#remove(channel, entry)) return;
    if (this.#channels.size > 0 && this.#connection !== undefined) await this.#say(`UNLISTEN ${quoteName(channel)}`);
    else this.#endIfIdle();
  }

  close() {
    this.#isClosed = true;
    this.#channels = new Map();
    this.#endIfIdle();
  }
}

module.exports = { Listening, checkedChannel, checkedPayload };
