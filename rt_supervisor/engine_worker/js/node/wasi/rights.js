// @ts-check
'use strict';
// Owns: the rights of a guest's descriptors, as bits of WASI preview 1, and which of them each file type has.

const { ObjectFreeze } = require('internal/primordials');

const RIGHT = ObjectFreeze({
  __proto__: null,
  FD_DATASYNC: 2 ** 0,
  FD_READ: 2 ** 1,
  FD_SEEK: 2 ** 2,
  FD_FDSTAT_SET_FLAGS: 2 ** 3,
  FD_SYNC: 2 ** 4,
  FD_TELL: 2 ** 5,
  FD_WRITE: 2 ** 6,
  FD_ADVISE: 2 ** 7,
  FD_ALLOCATE: 2 ** 8,
  PATH_CREATE_DIRECTORY: 2 ** 9,
  PATH_CREATE_FILE: 2 ** 10,
  PATH_LINK_SOURCE: 2 ** 11,
  PATH_LINK_TARGET: 2 ** 12,
  PATH_OPEN: 2 ** 13,
  FD_READDIR: 2 ** 14,
  PATH_READLINK: 2 ** 15,
  PATH_RENAME_SOURCE: 2 ** 16,
  PATH_RENAME_TARGET: 2 ** 17,
  PATH_FILESTAT_GET: 2 ** 18,
  PATH_FILESTAT_SET_SIZE: 2 ** 19,
  PATH_FILESTAT_SET_TIMES: 2 ** 20,
  FD_FILESTAT_GET: 2 ** 21,
  FD_FILESTAT_SET_SIZE: 2 ** 22,
  FD_FILESTAT_SET_TIMES: 2 ** 23,
  PATH_SYMLINK: 2 ** 24,
  PATH_REMOVE_DIRECTORY: 2 ** 25,
  PATH_UNLINK_FILE: 2 ** 26,
  POLL_FD_READWRITE: 2 ** 27,
  SOCK_SHUTDOWN: 2 ** 28,
  SOCK_ACCEPT: 2 ** 29,
});
const R = RIGHT;
const ALL = 2 ** 30 - 1;
const REGULAR =
  R.FD_DATASYNC |
  R.FD_READ |
  R.FD_SEEK |
  R.FD_FDSTAT_SET_FLAGS |
  R.FD_SYNC |
  R.FD_TELL |
  R.FD_WRITE |
  R.FD_ADVISE |
  R.FD_ALLOCATE |
  R.FD_FILESTAT_GET |
  R.FD_FILESTAT_SET_SIZE |
  R.FD_FILESTAT_SET_TIMES |
  R.POLL_FD_READWRITE;
const DIRECTORY =
  R.FD_FDSTAT_SET_FLAGS |
  R.FD_SYNC |
  R.FD_ADVISE |
  R.PATH_CREATE_DIRECTORY |
  R.PATH_CREATE_FILE |
  R.PATH_LINK_SOURCE |
  R.PATH_LINK_TARGET |
  R.PATH_OPEN |
  R.FD_READDIR |
  R.PATH_READLINK |
  R.PATH_RENAME_SOURCE |
  R.PATH_RENAME_TARGET |
  R.PATH_FILESTAT_GET |
  R.PATH_FILESTAT_SET_SIZE |
  R.PATH_FILESTAT_SET_TIMES |
  R.FD_FILESTAT_GET |
  R.FD_FILESTAT_SET_TIMES |
  R.PATH_SYMLINK |
  R.PATH_UNLINK_FILE |
  R.PATH_REMOVE_DIRECTORY |
  R.POLL_FD_READWRITE;
const TERMINAL = R.FD_READ | R.FD_FDSTAT_SET_FLAGS | R.FD_WRITE | R.FD_FILESTAT_GET | R.POLL_FD_READWRITE;
const SOCKET = TERMINAL | R.SOCK_SHUTDOWN;

const TYPE = ObjectFreeze({
  __proto__: null,
  UNKNOWN: 0,
  BLOCK_DEVICE: 1,
  CHARACTER_DEVICE: 2,
  DIRECTORY: 3,
  REGULAR_FILE: 4,
  SOCKET_STREAM: 6,
  SYMBOLIC_LINK: 7,
});
const TYPES_BY_MODE = {
  __proto__: null,
  0o010000: TYPE.SOCKET_STREAM, // a pipe
  0o020000: TYPE.CHARACTER_DEVICE,
  0o040000: TYPE.DIRECTORY,
  0o060000: TYPE.BLOCK_DEVICE,
  0o100000: TYPE.REGULAR_FILE,
  0o120000: TYPE.SYMBOLIC_LINK,
  0o140000: TYPE.SOCKET_STREAM,
};

/** The type of a file by its mode. @param {number} mode @returns {number} */
const typeOf = (mode) => TYPES_BY_MODE[mode & 0o170000] ?? TYPE.UNKNOWN;

/** The maximum rights of a descriptor of that type: [rights, rights of what is opened through it]. @param {number} type */
function mostRights(type, isTerminal = false) {
  if (type === TYPE.REGULAR_FILE) return [REGULAR, 0];
  if (type === TYPE.DIRECTORY) return [DIRECTORY, DIRECTORY | REGULAR];
  if (type === TYPE.SOCKET_STREAM) return [SOCKET, ALL];
  if (type === TYPE.CHARACTER_DEVICE && isTerminal) return [TERMINAL, 0];
  if (type === TYPE.CHARACTER_DEVICE || type === TYPE.BLOCK_DEVICE) return [ALL, ALL];
  return [0, 0];
}

module.exports = { RIGHT, TYPE, typeOf, mostRights };
