// @ts-check
'use strict';
// Owns: the listening side of a net.Server: the backlog, the permissions of a path, the address for a host name; listen errors, and
// the removal of a path.

const native = host.native;
const { ArrayFind, ObjectAssign, RegExpTest } = require('internal/primordials');

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
    const first =
      ArrayFind(addresses, ({ address, family }) => family !== 6 || !RegExpTest(/^fe[89ab]/i, address)) ?? addresses[0];
    callback(null, first.address, first.family);
  });
}

function removePath(path) {
  try {
    require('node/fs/sync').unlinkSync(path);
  } catch {
    return; // removed already
  }
}

/** The active-handle name of a server that listens at `descriptor`. */
const handleName = (descriptor) => (native.net_localName(descriptor)[1] === 'pipe' ? 'PipeWrap' : 'TCPServerWrap');

module.exports = { backlogOf, handleName, listenError, lookupToListen, modeOf, removePath };
