// @ts-check
'use strict';
// Owns: how many connections may wait for a net.Server and who may use its path, the error of one that cannot listen, the data of a connection that it
// drops, and the removal of its path.

const native = host.native;
const { ArrayFind, ObjectAssign, RegExpTest, intact } = require('internal/primordials');

const USUAL_BACKLOG = 511;
const toBacklog = (value) => (typeof value === 'number' && value >= 0 ? value : 0);
/** @param {any[]} args @param {any} options */
const backlogOf = (args, options) => toBacklog(args[1]) || toBacklog(args[2]) || options.backlog || USUAL_BACKLOG;

const ABSTRACT = 'can not set readableAll or writableAllt to true when path is abstract unix socket';
const READABLE_BY_ALL = 0o444;
const WRITABLE_BY_ALL = 0o222;
/** Who else may use a path. @param {any} options */
function modeOf(options) {
  const { path, readableAll, writableAll } = options;
  const mode = (readableAll ? READABLE_BY_ALL : 0) | (writableAll ? WRITABLE_BY_ALL : 0);
  if (mode === 0 || path?.[0] !== '\0') return mode;
  const { ERR_INVALID_ARG_VALUE } = require('internal/errors/errors').codes;
  throw new ERR_INVALID_ARG_VALUE('options', options, ABSTRACT);
}

/** Addresses of a connection that was not taken. */
function dropped(descriptor) {
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

/** An address for a server of that name; a link-local one only if there is no other. */
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

/** `callback(error, count)`: the connections of a server here, and those in other processes. */
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

/** What the handle of a server that listens at `descriptor` is called. */
const handleName = (descriptor) => (native.net_localName(descriptor)[1] === 'pipe' ? 'PipeWrap' : 'TCPServerWrap');

module.exports = { backlogOf, countAll, dropped, handleName, listenError, lookupToListen, modeOf, removePath };
