// @ts-check
'use strict';
// Owns: how fetch gets a connection to a place that has none idle. While TLS chooses the protocol of a place for the first time,
// further requests to it wait, since they would share a connection of HTTP/2.

const { ArrayPush, MapDelete, MapGet, MapSet, SetAdd, SetClear, SetHas } = require('internal/primordials');
const { Connection, connect, idleConnection, placeOf } = require('node/fetch/connection');

const opening = new Map(); // place -> the functions that begin the requests that wait
const known = new Set(); // places that speak HTTP/1
const MOST_KNOWN = 1000;

/** A connection to `target`; `done(error, connection)` follows. Returns what to call to give up. */
function open(target, done) {
  const place = placeOf(target);
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

module.exports = { open };
