'use strict';
// Owns: fs.promises.watch: the events of an FSWatcher as an async iterator with a bounded queue.

const { ArrayPush, ArrayShift } = require('internal/primordials');
const { AbortError, codes } = require('internal/errors/errors');
const { validateBoolean, validateInteger, validateObject, validateOneOf } = require('internal/validators');

const MOST_QUEUED = 2048;

/** watch(filename[, options]): yields { eventType, filename }. */
async function* watch(filename, options = {}) {
  if (typeof options === 'string') options = { encoding: options };
  if (options !== null) validateObject(options, 'options');
  const { maxQueue = MOST_QUEUED, overflow = 'ignore', signal, ...others } = options ?? {};
  validateInteger(maxQueue, 'options.maxQueue');
  if (others.persistent !== undefined) validateBoolean(others.persistent, 'options.persistent');
  validateOneOf(overflow, 'options.overflow', ['ignore', 'throw']);
  require('node/fs/watch').watchOptions({ ...others, signal });
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const queue = [];
  let failure;
  let wake = () => {};
  const watcher = require('node/fs/watch').watch(filename, others);
  watcher.on('change', (eventType, name) => {
    if (queue.length < maxQueue) ArrayPush(queue, { __proto__: null, eventType, filename: name });
    else if (overflow === 'throw') failure ??= new codes.ERR_FS_WATCH_QUEUE_OVERFLOW(maxQueue);
    else host.emitWarning('fs.watch maxQueue exceeded');
    wake();
  });
  watcher.on('error', (error) => {
    failure ??= error;
    wake();
  });
  const abort = () => {
    failure ??= new AbortError(undefined, { cause: signal.reason });
    wake();
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      while (queue.length > 0) yield ArrayShift(queue);
      if (failure !== undefined) throw failure;
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    watcher.close();
    signal?.removeEventListener('abort', abort);
  }
}

module.exports = { watch };
