// @ts-check
'use strict';
// Owns: helpers of net.Server: the backlog, the permissions of a path, listen errors, the data of dropped connections, and
// the removal of a path.

const native = host.native;
const { ArrayFind, ObjectAssign, RegExpTest, intact } = require('internal/primordials');

const USUAL_BACKLOG = 511;
const toBacklog = (value) => (typeof value === 'number' && value >= 0 ? value : 0);
/** @param {any[]} args @param {any} options */
const backlogOf = (args, options) => toBacklog(args[1]) || toBacklog(args[2]) || options.backlog || USUAL_BACKLOG;

const ABSTRACT = 'can not set readableAll or writableAllt to true when path is abstract unix socket';
const READABLE_BY_ALL = 0o444;
const WRITABLE_BY_ALL = 0o222;
/** The permission bits of a path. @param {any} options */
function modeOf(options) {
  const { path, readableAll, writableAll } = options;
  const mode = (readableAll ? READABLE_BY_ALL : 0) | (writableAll ? WRITABLE_BY_ALL : 0);
  if (mode === 0 || path?.[0] !== '\0') return mode;
  const { ERR_INVALID_ARG_VALUE } = require('internal/errors/errors').codes;
  throw new ERR_INVALID_ARG_VALUE('options', options, ABSTRACT);
}

/** The addresses of a connection that was dropped. */
function dropData(descriptor) {
  const data = {};
  for (const { 0: side, 1: name } of intact([
    ['local', native.net_localName(descriptor)],
    ['remote', native.net_remoteName(descriptor)],
  ])) {
    if (typeof name === 'number' || name[1] === 'pipe') continue;
    [data[`${side}Address`], data[`${side}Family`], data[`${side}Port`]] = intact(name);
  }
  return data;
}

function listenError(errno, address, port) {
  const { getSystemErrorName, getSystemErrorMessage } = require('internal/errors/errno');
  const code = getSystemErrorName(errno);
  let text = `listen ${code}: ${getSystemErrorMessage(errno)}`;
  if (port && port > 0) text += ` ${address}:${port}`;
  else if (address) text += ` ${address}`;
  const error = new Error(text);
  return ObjectAssign(error, { code, errno, syscall: 'listen' }, address === undefined ? {} : { address }, port ? { port } : {});
}

/** Looks up an address to listen on; a link-local one only if there is no other. */
function lookupToListen(name, callback) {
  require('node/dns/dns').lookup(name, { all: true }, (error, addresses) => {
    if (error) {
      callback(error);
      return;
    }
    const chosen =
      ArrayFind(addresses, ({ address, family }) => family !== 6 || !RegExpTest(/^fe[89ab]/i, address)) ?? addresses[0];
    callback(null, chosen.address, chosen.family);
  });
}

function removePath(path) {
  try {
    require('node/fs/sync').unlinkSync(path);
  } catch {
    return; // removed already
  }
}

/** Calls `callback(error, count)` with the number of connections here and in other processes. */
function countAll(lists, count, callback) {
  let left = lists.length;
  if (left === 0) {
    require('internal/timers').nextTick(callback, null, count);
    return;
  }
  for (const list of intact(lists)) {
    list.getConnections((error, more) => {
      if (left <= 0) return;
      left = error ? 0 : left - 1;
      count += more ?? 0;
      if (error) callback(error);
      else if (left === 0) callback(null, count);
    });
  }
}

/** The active-handle name of a server that listens at `descriptor`. */
const handleName = (descriptor) => (native.net_localName(descriptor)[1] === 'pipe' ? 'PipeWrap' : 'TCPServerWrap');

module.exports = { backlogOf, countAll, dropData, handleName, listenError, lookupToListen, modeOf, removePath };
