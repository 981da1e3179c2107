// @ts-check
'use strict';
// Owns: a guest's calls about itself and the machine: arguments, environment, clocks, polling, random bytes, exit, sockets.

const { ArrayPush, DateNow, MathCeil, MathMax, MathMin, StringSplit, TypedArraySet, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { Failed } = require('node/wasi/errno');
const { RIGHT, TYPE } = require('node/wasi/rights');

const native = host.native;
// Clocks.
const REALTIME = 0;
const MONOTONIC = 1;
const OF_PROCESS = 2;
const OF_THREAD = 3;
// Event types of `poll_oneoff`.
const CLOCK = 0;
const FD_READ = 1;
const FD_WRITE = 2;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const HANGUP = 1;
// Of poll(2).
const POLLIN = 1;
const POLLOUT = 4;
const POLLERR = 8;
const POLLHUP = 16;
const POLLNVAL = 32;
const LONGEST_WAIT_MS = 2 ** 31 - 1;
// Signals by WASI's numbers, starting at 1.
const SIGNALS =
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH ' +
  'POLL PWR SYS';

/** The time of a clock, in nanoseconds. @returns {bigint} */
function clock(id) {
  if (id === REALTIME) return BigInt(DateNow()) * 1_000_000n;
  if (id === MONOTONIC) return native.process_hrtime();
  if (id !== OF_PROCESS && id !== OF_THREAD) throw new Failed('INVAL');
  const { process } = runtimeParts.process;
  const { user, system } = id === OF_PROCESS ? process.cpuUsage() : process.threadCpuUsage();
  return BigInt(user + system) * 1000n;
}

/** Writes NUL-terminated strings and their addresses. */
function writeTexts(memory, texts, addressesAt, bytesAt) {
  let at = bytesAt;
  for (let index = 0; index < texts.length; index++) {
    memory.setWord(addressesAt + index * 4, at);
    memory.write(at, texts[index]);
    at += texts[index].length;
  }
}

function writeSizes(memory, texts, countAt, sizeAt) {
  let size = 0;
  for (const text of intact(texts)) size += text.length;
  memory.bytes(sizeAt, 4);
  memory.setWord(countAt, texts.length);
  memory.setWord(sizeAt, size);
}

/** Decodes a subscription of the guest. */
function subscriptionAt(guest, at) {
  const { descriptors, memory: bytes } = guest;
  const subscription = { user: bytes.long(at), kind: bytes.byte(at + 8), problem: 0, until: 0n, real: -1, isFile: false };
  if (subscription.kind === CLOCK) {
    const time = bytes.long(at + 24);
    const isAbsolute = (bytes.short(at + 40) & 1) !== 0;
    const now = clock(bytes.word(at + 16));
    subscription.until = native.process_hrtime() + (isAbsolute ? (time > now ? time - now : 0n) : time);
  } else if (subscription.kind === FD_READ || subscription.kind === FD_WRITE) {
    try {
      const row = descriptors.get(bytes.word(at + 16), RIGHT.POLL_FD_READWRITE);
      subscription.real = row.real;
      subscription.isFile = row.type === TYPE.REGULAR_FILE;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      subscription.problem = error.number;
    }
  } else throw new Failed('INVAL');
  return subscription;
}

/** Waits once until an event occurs. Returns the result of poll(2), by index in `list`. */
function wait(list) {
  const requests = [];
  let until;
  let isDue = false;
  for (const each of intact(list)) {
    if (each.problem !== 0) isDue = true;
    else if (each.kind === CLOCK) until = until === undefined || each.until < until ? each.until : until;
    else ArrayPush(requests, [each.real, each.kind === FD_READ ? POLLIN : POLLOUT]);
  }
  let ms = -1;
  if (isDue) ms = 0;
  else if (until !== undefined) ms = MathCeil(Number(until - native.process_hrtime()) / 1e6);
  const ready = native.wasi_poll(requests, until === undefined && !isDue ? -1 : MathMin(MathMax(ms, 0), LONGEST_WAIT_MS));
  const events = { __proto__: null };
  let at = 0;
  for (let index = 0; index < list.length; index++) {
    if (list[index].problem === 0 && list[index].kind !== CLOCK) events[index] = ready[at++];
  }
  return events;
}

function writeEvent(memory, at, { user, kind }, problem, flags, size) {
  memory.setLong(at, user);
  memory.setShort(at + 8, problem);
  memory.setByte(at + 10, kind);
  memory.setLong(at + 16, BigInt(size));
  memory.setShort(at + 24, flags);
}

/** Writes the events that occurred; returns their number. */
function writeEvents(memory, list, said, at) {
  let count = 0;
  const now = native.process_hrtime();
  const put = (each, problem, flags = 0, size = 0) => writeEvent(memory, at + count++ * EVENT_BYTES, each, problem, flags, size);
  for (let index = 0; index < list.length; index++) {
    const each = list[index];
    if (each.problem !== 0) put(each, each.problem);
    else if (each.kind === CLOCK) {
      if (each.until <= now) put(each, 0);
    } else if (said[index] !== 0) {
      const is = (bit) => (said[index] & bit) !== 0;
      let problem = 0;
      if (is(POLLNVAL)) problem = new Failed('BADF').number;
      else if (is(POLLERR)) problem = new Failed('IO').number;
      put(each, problem, is(POLLHUP) ? HANGUP : 0, 1);
    }
  }
  return count;
}

/** A socket of the guest; only streams passed on by the program can be sockets. */
function socketOf({ descriptors }, number, rights = 0) {
  const row = descriptors.get(number, rights);
  if (row.type !== TYPE.SOCKET_STREAM) throw new Failed('NOTSOCK');
  return row;
}

const calls = {
  args_get({ memory, args }, addressesAt, bytesAt) {
    writeTexts(memory, args, addressesAt, bytesAt);
  },
  args_sizes_get({ memory, args }, countAt, sizeAt) {
    writeSizes(memory, args, countAt, sizeAt);
  },
  clock_res_get({ memory }, id, at) {
    if (id > OF_THREAD) throw new Failed('INVAL');
    memory.setLong(at, 1n);
  },
  clock_time_get({ memory }, id, precision, at) {
    memory.bytes(at, 8);
    memory.setLong(at, clock(id));
  },
  environ_get({ memory, environment }, addressesAt, bytesAt) {
    writeTexts(memory, environment, addressesAt, bytesAt);
  },
  environ_sizes_get({ memory, environment }, countAt, sizeAt) {
    writeSizes(memory, environment, countAt, sizeAt);
  },
  poll_oneoff(guest, from, to, count, countAt) {
    const { memory } = guest;
    if (count === 0) throw new Failed('INVAL');
    memory.bytes(from, count * SUBSCRIPTION_BYTES);
    memory.bytes(to, count * EVENT_BYTES);
    memory.bytes(countAt, 4);
    const list = [];
    for (let index = 0; index < count; index++) ArrayPush(list, subscriptionAt(guest, from + index * SUBSCRIPTION_BYTES));
    let events = 0;
    while (events === 0) events = writeEvents(memory, list, wait(list), to);
    memory.setWord(countAt, events);
  },
  proc_exit(guest, status) {
    runtimeParts.process.process.reallyExit(status);
  },
  proc_raise(guest, signal) {
    const name = StringSplit(SIGNALS, ' ')[signal - 1];
    if (name === undefined) throw new Failed('NOSYS');
    const { process } = runtimeParts.process;
    process.kill(process.pid, `SIG${name}`);
  },
  random_get({ memory }, at, size) {
    memory.fill(at, size, (bytes) => TypedArraySet(bytes, native.rt_randomBytes(size)));
  },
  sched_yield() {},
  sock_accept(guest, number) {
    socketOf(guest, number, RIGHT.SOCK_ACCEPT);
    throw new Failed('NOTSUP');
  },
  sock_recv(guest, number) {
    socketOf(guest, number);
    throw new Failed('NOTSUP');
  },
  sock_send(guest, number) {
    socketOf(guest, number);
    throw new Failed('NOTSUP');
  },
  sock_shutdown(guest, number) {
    socketOf(guest, number, RIGHT.SOCK_SHUTDOWN);
    throw new Failed('NOTSUP');
  },
};

module.exports = { calls };
