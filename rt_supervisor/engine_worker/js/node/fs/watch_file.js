'use strict';
// Owns: fs.watchFile and fs.unwatchFile, which poll the stats of a file and emit 'change' when they differ.

const { ArraySome, MapDelete, MapGet, MapSet, ObjectDefineProperty, ObjectKeys, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const timers = require('internal/timers');
const context = require('internal/async/context');
const { markStandIn } = require('internal/active_handles');
const { EventEmitter } = require('node/events/events');
const { validateFunction, validateObject, validateUint32 } = require('internal/validators');
const { pathOf } = require('node/fs/arguments');

const INTERVAL_MS = 5007;
const watchers = new Map(); // by path

const kStats = Symbol('stats');
const kTimer = Symbol('timer');
const kListeners = Symbol('listeners');
const kStopped = Symbol('stopped');
const kResource = Symbol('resource');

/** Polls one file until its last listener is removed. */
class StatWatcher extends EventEmitter {
  constructor(path, { bigint, interval, persistent }) {
    super();
    ObjectDefineProperty(this, kListeners, { __proto__: null, value: 0, writable: true });
    ObjectDefineProperty(this, kStopped, { __proto__: null, value: false, writable: true });
    ObjectDefineProperty(this, kStats, { __proto__: null, value: undefined, writable: true });
    const resource = context.isUsed ? context.initResource({}, 'STATWATCHER') : undefined; // for node:async_hooks
    ObjectDefineProperty(this, kResource, { __proto__: null, value: resource });
    let report = (now, before) => this.emit('change', now, before);
    if (resource !== undefined) report = context.bindTo(resource, report);
    const look = () => {
      const now = status(path, bigint);
      const before = this[kStats];
      this[kStats] = now;
      if (before !== undefined && isOther(now, before)) report(now, before);
      else if (before === undefined && isMissing(now)) report(now, now); // as in Node, a missing file is reported
    };
    ObjectDefineProperty(this, kTimer, {
      __proto__: null,
      value: markStandIn(timers.setInterval(look, interval), this, 'StatWatcher'),
    });
    if (!persistent) this[kTimer].unref();
    host.nextTick(look);
  }

  ref() {
    this[kTimer].ref();
    return this;
  }

  unref() {
    this[kTimer].unref();
    return this;
  }

  stop() {
    if (this[kStopped]) return;
    this[kStopped] = true;
    timers.clearInterval(this[kTimer]);
    if (this[kResource] !== undefined) context.endResource(this[kResource]);
    host.nextTick(() => this.emit('stop'));
  }
}

function status(path, bigint) {
  const { statSync } = require('node/fs/sync');
  try {
    return statSync(path, { bigint });
  } catch {
    return missing(bigint);
  }
}

/** The stats of a missing file: all zeros. */
function missing(bigint) {
  const about = require('node/fs/sync').statSync('/', { bigint });
  const zero = bigint ? 0n : 0;
  for (const key of intact(ObjectKeys(about))) {
    if (typeof about[key] === typeof zero) about[key] = zero;
  }
  for (const key of intact(['atime', 'mtime', 'ctime', 'birthtime'])) about[key] = new Date(0);
  return about;
}

const isMissing = (about) => Number(about.nlink) === 0 && Number(about.ino) === 0;

function isOther(now, before) {
  return ArraySome(
    ['mtimeMs', 'ctimeMs', 'size', 'ino', 'mode', 'nlink', 'dev', 'uid', 'gid', 'birthtimeMs'],
    (key) => now[key] !== before[key],
  );
}

/** fs.watchFile(filename[, options], listener). */
function watchFile(filename, options, listener) {
  const path = require('node/path/path').resolve(pathOf(filename));
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = {};
  }
  options = { interval: INTERVAL_MS, persistent: true, bigint: false, ...options };
  validateObject(options, 'options');
  validateUint32(options.interval, 'interval');
  validateFunction(listener, 'listener');
  runtimeParts.permission?.check('fs.read', path);
  let watcher = MapGet(watchers, path);
  if (watcher === undefined) {
    watcher = new StatWatcher(path, options);
    MapSet(watchers, path, watcher);
  }
  watcher.addListener('change', listener);
  return watcher;
}

/** fs.unwatchFile(filename[, listener]). */
function unwatchFile(filename, listener) {
  const path = require('node/path/path').resolve(pathOf(filename));
  const watcher = MapGet(watchers, path);
  if (watcher === undefined) return;
  if (typeof listener === 'function') watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    MapDelete(watchers, path);
  }
}

module.exports = { StatWatcher, watchFile, unwatchFile };
