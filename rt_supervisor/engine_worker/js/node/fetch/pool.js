// @ts-check
'use strict';
// Owns: the HTTP/1 connections to each target: those that are idle, how many are open or being opened, and the requests that
// wait for one. The number of connections is not limited, but beyond a usual number it grows slowly, so that many requests at
// once to a fast server share few connections. The connections themselves are in node/fetch/connection.

const { ArrayLastIndexOf, ArrayPop, ArrayPush, ArraySplice, MapDelete, MapGet, MapSet } = require('internal/primordials');
const { Queue } = require('internal/queue');

const USUAL = 256; // connections to a target that are opened without delay
const OPENING_BEYOND = 8; // connections beyond them that may be opening at a time

const targets = new Map(); // place -> Target; only targets with a connection or a waiting request

class Target {
  /** @type {any[]} */
  idle = []; // the last one is reused first
  open = 0;
  opening = 0;
  waiting = new Queue(); // of { start(connection?), isWanted }

  get mayOpen() {
    return this.open + this.opening < USUAL || this.opening < OPENING_BEYOND;
  }
}

function targetOf(place) {
  let target = MapGet(targets, place);
  if (target === undefined) MapSet(targets, place, (target = new Target()));
  return target;
}

function tidy(place, target) {
  if (target.open === 0 && target.opening === 0 && target.waiting.size === 0) MapDelete(targets, place);
}

/** The next waiting request that has not been cancelled. */
function nextWaiting(target) {
  for (;;) {
    const entry = target.waiting.shift();
    if (entry === undefined || entry.isWanted) return entry;
  }
}

/** Starts waiting requests with new connections, as far as more may be opened. */
function openForWaiting(place, target) {
  while (target.mayOpen) {
    const entry = nextWaiting(target);
    if (entry === undefined) break;
    target.opening++;
    entry.start(undefined);
  }
  tidy(place, target);
}

/**
 * Calls `start(undefined)` when a connection may be opened, at once or later, or `start(connection)` with one that has become
 * idle meanwhile. After `start(undefined)`, the caller reports the outcome with `hasOpened`. Returns a function that cancels
 * the wait and returns whether it was still waiting.
 */
function waitForTurn(place, start) {
  const target = targetOf(place);
  if (target.mayOpen) {
    target.opening++;
    start(undefined);
    return () => false;
  }
  const entry = {
    isWanted: true,
    start: /** @param {any} connection */ (connection) => {
      entry.isWanted = false;
      start(connection);
    },
  };
  target.waiting.push(entry);
  return () => {
    const wasWaiting = entry.isWanted;
    entry.isWanted = false;
    return wasWaiting;
  };
}

/** An attempt to open a connection has ended. */
function hasOpened(place) {
  const target = targetOf(place);
  target.opening--;
  openForWaiting(place, target);
}

function add(connection) {
  targetOf(connection.place).open++;
}

/** The connection is closed. */
function remove(connection) {
  const { place } = connection;
  const target = targetOf(place);
  takeOut(target, connection);
  target.open--;
  openForWaiting(place, target);
}

/** Passes a connection that has become idle to a waiting request; returns false, with the connection stored, if there is none. */
function release(connection) {
  const target = targetOf(connection.place);
  const entry = nextWaiting(target);
  if (entry === undefined) {
    ArrayPush(target.idle, connection);
    return false;
  }
  entry.start(connection);
  return true;
}

/** Takes the connection that became idle last. */
function takeIdle(place) {
  const target = MapGet(targets, place);
  return target === undefined || target.idle.length === 0 ? undefined : ArrayPop(target.idle);
}

/** Removes an idle connection. */
function forget(connection) {
  const target = MapGet(targets, connection.place);
  if (target !== undefined) takeOut(target, connection);
}

function takeOut(target, connection) {
  const index = ArrayLastIndexOf(target.idle, connection);
  if (index !== -1) ArraySplice(target.idle, index, 1);
}

module.exports = { add, forget, hasOpened, release, remove, takeIdle, waitForTurn };
