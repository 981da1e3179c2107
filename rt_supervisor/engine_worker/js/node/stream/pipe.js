// @ts-check
'use strict';
// Owns: pipe, unpipe and wrap of Readable. A source with several destinations runs at the pace of the slowest.

const runtimeParts = require('internal/parts');
const { AnyAdd, AnyDelete } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const {
  ArrayIncludes,
  ArrayIndexOf,
  ArrayPush,
  ArraySome,
  ArraySplice,
  FunctionBind,
  ObjectAssign,
  ObjectGetOwnPropertyDescriptor,
  ObjectKeys,
  intact,
} = require('internal/primordials');
const { prepend } = require('node/stream/prepend');
const { errorOrDestroy } = require('node/stream/destroy');
const { nextTick } = require('internal/timers');

/**
 * Returns whether it is process.stdout or stderr, which are never ended. Calls no getters: a stream that does not exist
 * yet cannot be `target`.
 */
const isStandard = (target) =>
  ArraySome(['stdout', 'stderr'], (name) => ObjectGetOwnPropertyDescriptor(runtimeParts.process.process, name)?.value === target);

/** Resumes the source if `target` was the last destination it waited for. */
function onDrainOf(source, target) {
  return () => {
    const state = source._readableState;
    if (state.awaitDrainWriters === target) state.awaitDrainWriters = null;
    else if (state.multiAwaitDrain) AnyDelete(state.awaitDrainWriters, target);
    if ((!state.awaitDrainWriters || state.awaitDrainWriters.size === 0) && state.dataListening) source.resume();
  };
}

function pipe(target, options) {
  const source = this;
  const state = source._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = setOf(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  ArrayPush(state.pipes, target);

  const endsTarget = options?.end !== false && !isStandard(target);
  const atEnd = endsTarget
    ? () => {
        target.end();
      }
    : unpipe;
  if (state.endEmitted) nextTick(atEnd);
  else source.once('end', atEnd);

  let onDrain;
  let isClean = false;
  target.on('unpipe', onUnpipe);
  source.on('data', onData);
  prepend(target, 'error', onError);
  target.once('close', onClose);
  target.once('finish', onFinish);

  function onUnpipe(readable, info) {
    if (readable === source && info && info.hasUnpiped === false) {
      info.hasUnpiped = true;
      cleanup();
    }
  }
  function cleanup() {
    target.removeListener('close', onClose);
    target.removeListener('finish', onFinish);
    if (onDrain) target.removeListener('drain', onDrain);
    target.removeListener('error', onError);
    target.removeListener('unpipe', onUnpipe);
    source.removeListener('end', atEnd);
    source.removeListener('data', onData);
    isClean = true;
    // Other destinations must not wait for the drain of one that was removed.
    if (onDrain && state.awaitDrainWriters) onDrain();
  }
  function wait() {
    if (!isClean) {
      if (state.pipes.length === 1 && state.pipes[0] === target) {
        state.awaitDrainWriters = target;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && ArrayIncludes(state.pipes, target)) {
        AnyAdd(state.awaitDrainWriters, target);
      }
      source.pause();
    }
    if (!onDrain) {
      onDrain = onDrainOf(source, target);
      target.on('drain', onDrain);
    }
  }
  function onData(chunk) {
    try {
      if (target.write(chunk) === false) wait();
    } catch (error) {
      target.destroy(error);
    }
  }
  function onError(error) {
    unpipe();
    target.removeListener('error', onError);
    if (target.listenerCount('error') > 0) return;
    const targetState = target._writableState || target._readableState;
    if (targetState && !targetState.errorEmitted) errorOrDestroy(target, error);
    else target.emit('error', error);
  }
  function onClose() {
    target.removeListener('finish', onFinish);
    unpipe();
  }
  function onFinish() {
    target.removeListener('close', onClose);
    unpipe();
  }
  function unpipe() {
    source.unpipe(target);
  }

  target.emit('pipe', source);
  if (target.writableNeedDrain === true) wait();
  else if (!state.flowing) source.resume();
  return target;
}

function unpipe(target) {
  const state = this._readableState;
  if (state.pipes.length === 0) return this;
  if (!target) {
    const targets = state.pipes;
    state.pipes = [];
    this.pause();
    for (const one of intact(targets)) one.emit('unpipe', this, { hasUnpiped: false });
    return this;
  }
  const place = ArrayIndexOf(state.pipes, target);
  if (place === -1) return this;
  ArraySplice(state.pipes, place, 1);
  if (state.pipes.length === 0) this.pause();
  target.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

/** Reads from an old-style stream, which has only 'data', 'end', pause and resume. */
function wrap(source) {
  let isPaused = false;
  source.on('data', (chunk) => {
    if (!this.push(chunk) && source.pause) {
      isPaused = true;
      source.pause();
    }
  });
  source.on('end', () => this.push(null));
  source.on('error', (error) => errorOrDestroy(this, error));
  source.on('close', () => this.destroy());
  source.on('destroy', () => this.destroy());
  const read = () => {
    if (isPaused && source.resume) {
      isPaused = false;
      source.resume();
    }
  };
  this._read = read;
  for (const name of intact(ObjectKeys(source))) {
    if (this[name] === undefined && typeof source[name] === 'function') this[name] = FunctionBind(source[name], source);
  }
  return this;
}

module.exports = {
  install: (Readable) => {
    ObjectAssign(Readable.prototype, { pipe, unpipe, wrap });
  },
};
