// @ts-check
'use strict';
// Owns: opening connections to targets without an idle one. While the protocol of a target is being negotiated for the first
// time, further requests to it wait, because they would share an HTTP/2 connection. A preconnected connection is used by the
// first request, or waits for one.

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
const pool = require('node/fetch/pool');
const { Connection, connect, idleConnection, placeOf } = require('node/fetch/connection');

const opening = new Map(); // target -> functions that start its waiting requests
const ahead = new Map(); // target -> preconnections, as { done, giveUp } of the request that has claimed each
const http1Targets = new Set(); // targets that use HTTP/1
const MOST_KNOWN = 1000;

/** Opens a connection to `target` and calls `done(error, connection)`. Returns a function that cancels it. */
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

/** A preconnection in progress that no request has claimed. */
function takeAhead(place) {
  const entries = MapGet(ahead, place);
  for (let index = 0; index < (entries?.length ?? 0); index++) if (entries[index].done === undefined) return entries[index];
  return undefined;
}

/** Opens a connection for the next request to `target`. */
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
    connection.isReused = true; // the server may have closed it since, like an idle one
    if (done !== undefined) done(null, connection);
    else connection.keep();
  });
  if (!isOpening) return;
  ArrayPush(entries, entry);
  MapSet(ahead, place, entries);
}

/** Opens an HTTP/1 connection once the pool allows it, or passes on one that becomes idle before. */
function connectInTurn(target, place, done) {
  if (target.isAlone) return connect(target, place, done);
  let giveUp;
  const start = (idle) => {
    if (idle !== undefined) {
      done(null, idle);
      return;
    }
    let isOpening = true;
    const end = () => {
      if (isOpening) pool.hasOpened(place);
      isOpening = false;
    };
    const cancel = connect(target, place, (error, connection) => {
      done(error, connection);
      end();
    });
    giveUp = () => {
      cancel();
      end();
    };
  };
  const leave = pool.waitForTurn(place, start);
  return () => {
    if (!leave()) giveUp?.();
  };
}

function openNow(target, place, done) {
  if (target.url.protocol !== 'https:' || SetHas(http1Targets, place)) return connectInTurn(target, place, done);
  let giveUp = () => {};
  const begin = () => {
    const shared = target.isAlone ? undefined : idleConnection(place);
    if (shared !== undefined) done(null, shared);
    else giveUp = connectInTurn(target, place, done);
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
      if (http1Targets.size >= MOST_KNOWN) SetClear(http1Targets);
      SetAdd(http1Targets, place);
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
