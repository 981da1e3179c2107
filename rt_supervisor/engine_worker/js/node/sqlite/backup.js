'use strict';
// Owns: backup(): copies a database to a file, `rate` pages at a time, without blocking the program.

const { checkFunction, checkInt32, checkObject, checkString, invalidType, isObject, option } = require('node/sqlite/errors');
const { numberOf } = require('node/sqlite/database');
const { pathOf } = require('node/sqlite/settings');

const native = host.native;
const USUAL_RATE = 100;

function backup(sourceDb, path) {
  if (!isObject(sourceDb)) throw invalidType('The "sourceDb" argument must be an object.');
  const number = numberOf(sourceDb);
  const target = pathOf(path);
  const options = arguments.length > 2 ? arguments[2] : {};
  checkObject(options, 'options');
  const rate = option(options, 'rate', checkInt32, USUAL_RATE);
  const source = option(options, 'source', checkString, 'main');
  const name = option(options, 'target', checkString, 'main');
  const progress = option(options, 'progress', checkFunction);
  return new Promise((resolve, reject) => {
    const work = native.sqlite_backup(number, target, source, name);
    const end = (settle, value) => {
      native.sqlite_backupEnd(work);
      settle(value);
    };
    const step = () => native.sqlite_backupStep(work, rate, stepped);
    const stepped = (error, isOver, totalPages, remainingPages) => {
      sourceDb; // keeps the source alive until the backup has ended
      if (error !== null) return end(reject, error);
      if (isOver || remainingPages === 0) return end(resolve, totalPages);
      try {
        progress?.({ totalPages, remainingPages });
      } catch (problem) {
        return end(reject, problem);
      }
      return step();
    };
    step();
  });
}

module.exports = { backup };
