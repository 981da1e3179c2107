'use strict';
// Owns: fs.watch: an FSWatcher over the host's file events; with `recursive`, one watch per directory, added as directories
// appear.

const { AnyDelete, AnyKeys } = require('internal/any_kind');
const native = host.native;
// prettier-ignore
const { ArrayIncludes, MapClear, MapSet, MapValues, ObjectDefineProperty, StringStartsWith, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { removeHandle, addHandle } = require('internal/active_handles');
const { EventEmitter } = require('node/events/events');
const { codes, uvException } = require('internal/errors/errors');
const {
  validateAbortSignal,
  validateBoolean,
  validateEncoding,
  validateFunction,
  validateObject,
} = require('internal/validators');
const { pathOf } = require('node/fs/arguments');
const { ignoreTest } = require('node/fs/watch_ignore');

const kPath = Symbol('path');
const kOptions = Symbol('options');
const kWatches = Symbol('watches');
const kState = Symbol('state');
const kResource = Symbol('resource'); // for node:async_hooks
const kStart = Symbol('start');
const IDLE = 'idle';
const WATCHING = 'watching';
const CLOSED = 'closed';

/** The name of a watcher's handle while it keeps the program alive. */
const activity = (watcher) => (watcher._isReferenced ? 'FSEventWrap' : undefined);

/**
 * IDLE --kStart--> WATCHING --close, or an error--> CLOSED. Owns one host watch per directory; they keep the program
 * alive unless the watcher is unref'd.
 */
class FSWatcher extends EventEmitter {
  constructor(path, options) {
    super();
    for (
      let index = 0,
        list = [
          [kPath, path],
          [kOptions, options],
          [kWatches, new Map()],
          [kResource, context.isUsed ? context.initResource({}, 'FSEVENTWRAP') : undefined],
        ];
      index < list.length;
      index++
    ) {
      const { 0: key, 1: value } = list[index];
      ObjectDefineProperty(this, key, { __proto__: null, value });
    }
    ObjectDefineProperty(this, kState, { __proto__: null, value: IDLE, writable: true });
    this._isReferenced = options.persistent;
  }

  [kStart]() {
    this[kState] = WATCHING;
    addHandle(this, activity);
    if (this._isReferenced) native.fswatch_reference(1);
    const error = watchFolder(this, this[kPath], '');
    if (error === undefined && this[kOptions].recursive) watchInside(this, this[kPath], '', false);
    if (error !== undefined) {
      this.close();
      throw error;
    }
  }

  ref() {
    if (!this._isReferenced && this[kState] === WATCHING) native.fswatch_reference(1);
    this._isReferenced = true;
    return this;
  }

  unref() {
    if (this._isReferenced && this[kState] === WATCHING) native.fswatch_reference(-1);
    this._isReferenced = false;
    return this;
  }

  close() {
    if (this[kState] === CLOSED) return;
    const wasWatching = this[kState] === WATCHING;
    this[kState] = CLOSED;
    removeHandle(this);
    for (const number of intact(AnyKeys(this[kWatches]))) native.fswatch_close(number);
    MapClear(this[kWatches]);
    if (wasWatching && this._isReferenced) native.fswatch_reference(-1);
    if (this[kResource] !== undefined) context.endResource(this[kResource]);
    host.nextTick(() => this.emit('close'));
  }

  [Symbol.dispose]() {
    this.close();
  }
}
ObjectDefineProperty(FSWatcher.prototype, '_isReferenced', { __proto__: null, value: true, writable: true, enumerable: false });

/** Watches `path`, reported to the program as `prefix`, without its subdirectories. Returns the error, if any. */
function watchFolder(watcher, path, prefix) {
  const listener = (kind, name) => {
    handleEvent(watcher, path, prefix, kind, name);
  };
  const resource = watcher[kResource];
  let number;
  try {
    number = native.fswatch_open(path, resource === undefined ? listener : context.bindTo(resource, listener));
  } catch (refusal) {
    return refusal; // of the permission model
  }
  if (number < 0) return watchError(number, watcher[kPath]);
  MapSet(watcher[kWatches], number, path);
  return undefined;
}

const isWatched = (watcher, path) => ArrayIncludes([...intact(MapValues(watcher[kWatches]))], path);

/**
 * Watches all directories in `path`. With `reportsAll`, reports every entry, because the entries appeared together with the
 * directory.
 */
function watchInside(watcher, path, prefix, reportsAll) {
  let entries;
  try {
    entries = require('node/fs/sync').readdirSync(path, { withFileTypes: true });
  } catch {
    return; // a file, or removed already
  }
  for (const entry of intact(entries)) {
    const name = `${prefix}${entry.name}`;
    const inner = `${path}/${entry.name}`;
    if (reportsAll && entry.isDirectory() && isWatched(watcher, inner)) continue; // it appeared after its directory was watched, and is watched already
    if (reportsAll) report(watcher, 'rename', name);
    if (!entry.isDirectory() || watcher[kState] !== WATCHING) continue;
    watchFolder(watcher, inner, `${name}/`);
    watchInside(watcher, inner, `${name}/`, reportsAll);
  }
}

function handleEvent(watcher, path, prefix, kind, name) {
  if (watcher[kState] !== WATCHING) return;
  if (kind === 'rename' && watcher[kOptions].recursive) follow(watcher, `${path}/${name}`, `${prefix}${name}`);
  report(watcher, kind, `${prefix}${name}`);
}

/** A name appeared or disappeared: watches a new directory, drops the watches of a removed one. */
function follow(watcher, path, name) {
  for (const { 0: number, 1: watched } of intact(watcher[kWatches])) {
    if (watched === path || StringStartsWith(watched, `${path}/`)) {
      native.fswatch_close(number);
      AnyDelete(watcher[kWatches], number);
    }
  }
  const about = require('node/fs/sync').lstatSync(path, { throwIfNoEntry: false });
  if (!about?.isDirectory()) return;
  watchFolder(watcher, path, `${name}/`);
  host.nextTick(() => {
    if (watcher[kState] === WATCHING) watchInside(watcher, path, `${name}/`, true);
  });
}

function report(watcher, kind, name) {
  const { encoding, isIgnored } = watcher[kOptions];
  if (isIgnored !== undefined && isIgnored(name)) return;
  watcher.emit('change', kind, encoding === 'utf8' ? name : encodeName(name, encoding));
}

function encodeName(name, encoding) {
  const { Buffer } = require('node/buffer/buffer');
  return encoding === 'buffer' ? Buffer.from(name) : Buffer.from(name).toString(encoding);
}

function watchError(number, path) {
  const error = uvException({ errno: number, syscall: 'watch', path });
  error.filename = path;
  return error;
}

/** fs.watch(filename[, options][, listener]). */
function watch(filename, options, listener) {
  if (typeof options === 'function') {
    listener = options;
    options = undefined;
  }
  const watcher = makeWatcher(filename, options);
  if (listener !== undefined) validateFunction(listener, 'listener');
  const { signal } = watcher[kOptions];
  watcher[kStart]();
  if (listener) watcher.addListener('change', listener);
  if (signal) {
    if (signal.aborted) host.nextTick(() => watcher.close());
    else {
      const close = () => watcher.close();
      signal.addEventListener('abort', close, { once: true });
      watcher.once('close', () => signal.removeEventListener('abort', close));
    }
  }
  return watcher;
}

function makeWatcher(filename, options) {
  const path = pathOf(filename);
  return new FSWatcher(path, watchOptions(options));
}

function watchOptions(options) {
  if (options === undefined || options === null) options = {};
  if (typeof options === 'string') options = { encoding: options };
  validateObject(options, 'options');
  const { persistent = true, recursive = false, signal, ignore, throwIfNoEntry = true } = options;
  const encoding = options.encoding ?? 'utf8';
  if (encoding !== 'buffer') validateEncoding('', encoding);
  if (!isEncoding(encoding)) throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  validateBoolean(recursive, 'options.recursive');
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  return {
    persistent: persistent !== false,
    recursive,
    signal,
    throwIfNoEntry,
    encoding: encoding === 'utf-8' ? 'utf8' : encoding,
    isIgnored: ignoreTest(ignore),
  };
}

const isEncoding = (encoding) => encoding === 'buffer' || require('node/buffer/buffer').Buffer.isEncoding(encoding);

module.exports = { FSWatcher, watch, watchOptions };
