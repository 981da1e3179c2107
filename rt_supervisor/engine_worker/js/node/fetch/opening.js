// @ts-check
'use strict';
// Owns: how fetch gets a connection to a place that has none idle. While TLS chooses the protocol of a place for the first time,
// further requests to it wait, since they would share a connection of HTTP/2. A connection that is opened ahead of its request goes
// to the first one that comes, or waits for one.

const {
  ArrayIndexOf,
  ArrayPush,
  ArraySplice,
  MapDelete,
  MapGet,
  MapSet,
  SetAdd,
  SetClear,
  SetHas,
} = require('internal/primordials');
const { Connection, connect, idleConnection, placeOf } = require('node/fetch/connection');

const opening = new Map(); // place -> the functions that begin the requests that wait
const ahead = new Map(); // place -> those that are opened before a request asks, as { done, giveUp } of the request that has come since
const known = new Set(); // places that speak HTTP/1
const MOST_KNOWN = 1000;

/** A connection to `target`; `done(error, connection)` follows. Returns what to call to give up. */
function open(target, done) {
  const place = placeOf(target);
  const early = takeAhead(place);
  if (early === undefined) return openNow(target, place, done);
  early.done = done;
  return () => {
    early.done = undefined;
    early.giveUp?.();
  };
}

/** One that is being opened and that no request has taken. */
function takeAhead(place) {
  const entries = MapGet(ahead, place);
  for (let index = 0; index < (entries?.length ?? 0); index++) if (entries[index].done === undefined) return entries[index];
  return undefined;
}

/** Open a connection for the next request to `target`. */
function openAhead(target) {
  const place = placeOf(target);
  /** @type {{ done: any, giveUp: any }} */
  const entry = { done: undefined, giveUp: undefined };
  const entries = MapGet(ahead, place) ?? [];
  let isOpening = true;
  openNow(target, place, (error, connection) => {
    isOpening = false;
    const index = ArrayIndexOf(entries, entry);
    if (index !== -1) ArraySplice(entries, index, 1);
    if (entries.length === 0) MapDelete(ahead, place);
    const { done } = entry;
    if (error) {
      if (done !== undefined) entry.giveUp = openNow(target, place, done);
      return;
    }
    connection.isReused = true; // the server may have closed it since, as one that was idle
    if (done !== undefined) done(null, connection);
    else connection.keep();
  });
  if (!isOpening) return;
  ArrayPush(entries, entry);
  MapSet(ahead, place, entries);
}

function openNow(target, place, done) {
  if (target.url.protocol !== 'https:' || SetHas(known, place)) return connect(target, place, done);
  let giveUp = () => {};
  const begin = () => {
    const shared = idleConnection(place);
    if (shared !== undefined) done(null, shared);
    else giveUp = connect(target, place, done);
  };
  const waiting = MapGet(opening, place);
  if (waiting !== undefined) {
    let isWanted = true;
    giveUp = () => {
      isWanted = false;
    };
    ArrayPush(waiting, () => {
      if (isWanted) begin();
    });
    return () => giveUp();
  }
  const others = [];
  MapSet(opening, place, others);
  const settle = () => {
    if (MapGet(opening, place) !== others) return;
    MapDelete(opening, place);
    for (let index = 0; index < others.length; index++) others[index]();
  };
  giveUp = connect(target, place, (error, connection) => {
    if (!error && connection instanceof Connection) {
      if (known.size >= MOST_KNOWN) SetClear(known);
      SetAdd(known, place);
    }
    done(error, connection);
    settle();
  });
  return () => {
    giveUp();
    settle();
  };
}

module.exports = { open, openAhead };
