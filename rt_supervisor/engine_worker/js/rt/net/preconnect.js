// @ts-check
'use strict';
// Owns: connections that flags open before the program runs. The program does not wait for them: a failure is reported on
// stderr, and at its end they delay the exit by at most LONGEST_MS.

const { ArrayForEach } = require('internal/primordials');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');

const LONGEST_MS = 250;

/** fetch: URLs; redis, sql: whether to connect */
function start({ fetch, redis, sql }) {
  if (fetch !== undefined) ArrayForEach(fetch, ahead);
  if (redis) warm('redis-preconnect', () => require('rt/redis/client'));
  if (sql) warm('sql-preconnect', () => require('rt/sql/client'));
}

function ahead(url) {
  try {
    require('node/fetch/fetch').preconnect(url);
  } catch (error) {
    host.writeErr(`warn: --fetch-preconnect cannot connect to "${url}": ${error.message}\n`);
  }
}

function warm(flag, find) {
  const timer = startTimer(() => {}, LONGEST_MS);
  const reportFailure = (error, place) => {
    stopTimer(timer);
    host.writeErr(`warn: --${flag} could not connect${place === undefined ? '' : ` at ${place}`}: ${reasonOf(error)}\n`);
  };
  try {
    find().warm(reportFailure, () => stopTimer(timer));
  } catch (error) {
    reportFailure(error);
  }
}
const reasonOf = (error) => error.cause?.code ?? error.cause?.message ?? error.message;

module.exports = { start };
