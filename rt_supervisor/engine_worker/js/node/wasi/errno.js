// @ts-check
'use strict';
// Owns: the error numbers of WASI preview 1, and the exception with which a guest's call returns one.

const { ArrayIndexOf, StringSlice, StringSplit } = require('internal/primordials');

// In the order of their numbers.
const NAMES = StringSplit(
  'SUCCESS 2BIG ACCES ADDRINUSE ADDRNOTAVAIL AFNOSUPPORT AGAIN ALREADY BADF BADMSG BUSY CANCELED CHILD CONNABORTED CONNREFUSED ' +
    'CONNRESET DEADLK DESTADDRREQ DOM DQUOT EXIST FAULT FBIG HOSTUNREACH IDRM ILSEQ INPROGRESS INTR INVAL IO ISCONN ISDIR LOOP MFILE ' +
    'MLINK MSGSIZE MULTIHOP NAMETOOLONG NETDOWN NETRESET NETUNREACH NFILE NOBUFS NODEV NOENT NOEXEC NOLCK NOLINK NOMEM NOMSG ' +
    'NOPROTOOPT NOSPC NOSYS NOTCONN NOTDIR NOTEMPTY NOTRECOVERABLE NOTSOCK NOTSUP NOTTY NXIO OVERFLOW OWNERDEAD PERM PIPE PROTO ' +
    'PROTONOSUPPORT PROTOTYPE RANGE ROFS SPIPE SRCH STALE TIMEDOUT TXTBSY XDEV NOTCAPABLE',
  ' ',
);

/** The number of an error by its name without the E. @param {string} name */
const numberOf = (name) => ArrayIndexOf(NAMES, name);

/** Ends a call with an error number; never visible to programs. */
class Failed {
  /** @param {string} name of the error, without the E */
  constructor(name) {
    this.number = numberOf(name);
    this.name = name;
  }
}

/** The error number for an exception of a system call or a check; undefined for any other. @param {any} error */
function numberOfThrown(error) {
  if (error instanceof Failed) return error.number;
  if (error === null || typeof error !== 'object' || typeof error.code !== 'string') return undefined;
  if (error.code === 'ERR_ACCESS_DENIED') return numberOf('PERM');
  if (typeof error.errno !== 'number') return undefined;
  const number = error.code === 'EOPNOTSUPP' ? numberOf('NOTSUP') : numberOf(StringSlice(error.code, 1));
  return number === -1 ? numberOf('IO') : number;
}

module.exports = { Failed, numberOfThrown };
