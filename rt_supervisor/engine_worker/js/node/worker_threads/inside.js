'use strict';
// Owns: what differs inside a worker: the source of its messages, the reporting of its errors, and process functions that it
// cannot use.

const { ArrayPush, AtomicsLoad, MapSet, ObjectDefineProperty, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { native } = host;
const { codes } = require('internal/errors/errors');

const UNSUPPORTED = ['abort', 'chdir', 'initgroups', 'setegid', 'seteuid', 'setgid', 'setgroups', 'setuid'];

let self; // { threadId, name, limits, parentPort, workerData }

function start(settings, console) {
  const { boxes, redirects } = settings;
  startValues.startedAt = settings.startedAt; // a process has one clock
  startValues.timeOrigin = settings.timeOrigin;
  const { acrossPort, takeFrom } = require('web/messaging/across');
  const begin = takeFrom(boxes.begin);
  const { workerData, environmentData, sharedEnvironment, heard, folderChanges } = begin.data;
  if (sharedEnvironment !== undefined) require('node/process/environment').join(sharedEnvironment);
  const data = require('node/worker_threads/environment_data');
  for (const { 0: key, 1: value } of intact(environmentData)) MapSet(data.environmentData, key, value);
  native.core_keepDescriptors(settings.keepsFiles === true, warnOfDescriptor);
  const report = (kind, rest) => native.mailboxPost(boxes.reports, { kind, ...rest });
  const parentPort = acrossPort(boxes.inbox, boxes.outbox);
  self = { threadId: settings.threadId, threadName: settings.name, resourceLimits: settings.limits, parentPort, workerData };
  let hasFailed = false;
  runtimeParts.worker = {
    self,
    /** Reports an uncaught error to the parent; only the first one. */
    fatal(error) {
      if (hasFailed) return;
      hasFailed = true;
      report('error', { value: require('node/worker_threads/errors').packError(error) });
    },
  };
  limitProcess(runtimeParts.process.process);
  if (folderChanges !== undefined) keepFolder(runtimeParts.process.process, folderChanges);
  for (const { 0: name } of intact([
    ['stdout', 1],
    ['stderr', 2],
  ])) {
    if (redirects[name]) redirect(name, console, (bytes) => report('output', { name, value: bytes }));
  }
  if (heard !== undefined) copy(heard, report);
  const input = listen(boxes.begin, takeFrom, report);
  makeInput(redirects.stdin, input);
  report('online', {});
  return self;
}

const ODDITIES = ['opened in unmanaged mode twice', 'closed but not opened in unmanaged mode'];

function warnOfDescriptor(oddity, descriptor) {
  runtimeParts.process.process.emitWarning(`File descriptor ${descriptor} ${ODDITIES[oddity]}`);
}

function limitProcess(process) {
  const hasChannel = process.env.NODE_CHANNEL_FD !== undefined; // as in Node: depends on the environment
  for (const name of intact(hasChannel ? [...intact(UNSUPPORTED), 'send', 'disconnect'] : UNSUPPORTED)) {
    const unsupported = {
      [name]() {
        throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}()`);
      },
    }[name];
    unsupported.disabled = true;
    process[name] = unsupported;
  }
  for (const name of intact(hasChannel ? ['channel', 'connected'] : [])) {
    ObjectDefineProperty(process, name, {
      __proto__: null,
      get() {
        throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}`);
      },
      enumerable: false,
      configurable: true,
    });
  }
  const { umask } = process;
  process.umask = function (mask) {
    if (mask !== undefined) throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return umask();
  };
  for (const name of intact(['_debugProcess', '_debugEnd'])) delete process[name];
  ObjectDefineProperty(process, 'title', {
    __proto__: null,
    value: process.title,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** Makes `process.cwd` read the working folder again only once the main thread has changed it. */
function keepFolder(process, changes) {
  runtimeParts.folderChanges = changes;
  const { cwd: readFolder } = process;
  let seen = -1;
  let folder = '';
  process.cwd = function cwd() {
    const count = AtomicsLoad(changes, 0);
    if (count !== seen) {
      folder = readFolder();
      seen = count;
    }
    return folder;
  };
}

const encode = (text) => (typeof text === 'string' ? native.encodeUtf8(text) : new Uint8Array(text));

/** Sends a copy of direct output to the parent while it reads; `source` says which streams. */
function copy(source, report) {
  require('node/process/printing').setHearer((descriptor, chunk) => {
    if (source[descriptor - 1] === 1) report('output', { name: descriptor === 1 ? 'stdout' : 'stderr', value: encode(chunk) });
  });
}

/** Sends the worker's output on that stream to the parent's `worker.stdout` or `worker.stderr`. */
function redirect(name, console, post) {
  console[name === 'stdout' ? 'writeOut' : 'writeErr'] = (text) => post(encode(text));
  const make = () => {
    const { Writable } = require('node/stream/stream');
    const stream = new Writable({
      decodeStrings: true,
      write(chunk, encoding, done) {
        post(new Uint8Array(chunk));
        done();
      },
    });
    stream.fd = name === 'stdout' ? 1 : 2;
    return stream;
  };
  let scope;
  ObjectDefineProperty(runtimeParts.process.process, name, {
    __proto__: null,
    get: () => (scope ??= make()),
    enumerable: true,
    configurable: true,
  });
}

/** Handles packets from the parent: requests, and bytes for process.stdin, which are queued until `take` exists. */
function listen(box, takeFrom, report) {
  const input = { waiting: [], take: undefined };
  native.mailboxListen(box, () => {
    for (;;) {
      const packet = takeFrom(box);
      if (packet === undefined || packet === null) return;
      const { ask, input: bytes, toThread } = packet.data;
      if (toThread !== undefined) require('node/worker_threads/to_thread').deliver(toThread);
      else if (ask !== undefined) require('node/worker_threads/requests').answer(ask, report);
      else if (input.take === undefined) ArrayPush(input.waiting, bytes);
      else input.take(bytes);
    }
  });
  return input;
}

/** process.stdin: what the parent writes to `worker.stdin`, or an empty stream. Only a reader keeps the worker running. */
function makeInput(isOpen, input) {
  let scope;
  const make = () => {
    const { Readable } = require('node/stream/stream');
    let isReferenced = false;
    const reference = (isWanted) => {
      if (isReferenced === isWanted) return;
      isReferenced = isWanted;
      native.pipes_reference(isWanted ? 1 : -1);
    };
    let hasEnded = !isOpen;
    const stream = new Readable({
      read() {
        if (!hasEnded) reference(true);
      },
    });
    if (!isOpen) {
      stream.push(null);
      return stream;
    }
    input.take = (bytes) => {
      stream.push(bytes === null ? null : require('node/buffer/buffer').Buffer.from(bytes));
      if (bytes === null) {
        hasEnded = true;
        reference(false);
      }
    };
    for (const bytes of intact(input.waiting)) input.take(bytes);
    return stream;
  };
  ObjectDefineProperty(runtimeParts.process.process, 'stdin', {
    __proto__: null,
    get: () => (scope ??= make()),
    enumerable: true,
    configurable: true,
  });
}

module.exports = { start };
