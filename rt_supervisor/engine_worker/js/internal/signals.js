// @ts-check
'use strict';
// Owns: signal names and numbers (Linux).
const { ArrayFind, ObjectKeys } = require('internal/primordials');
const NUMBERS = {
  __proto__: null,
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGIOT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGCHLD: 17,
  SIGSTKFLT: 16,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPOLL: 29,
  SIGPWR: 30,
  SIGSYS: 31,
};

function numberOf(name) {
  const number = NUMBERS[name];
  if (number === undefined) {
    const { ERR_UNKNOWN_SIGNAL } = require('internal/errors/errors').codes;
    throw new ERR_UNKNOWN_SIGNAL(name);
  }
  return number;
}

const nameOf = (number) => ArrayFind(ObjectKeys(NUMBERS), (name) => NUMBERS[name] === number);

module.exports = { NUMBERS, numberOf, nameOf };
