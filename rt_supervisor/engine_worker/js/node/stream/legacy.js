'use strict';
// Owns: Stream, the base class of all streams, with pipe() for streams that have no read().

const { isUint8Array } = require('internal/brands');
const { prepend } = require('node/stream/prepend');
const { ArrayPush, FunctionCall, ObjectSetPrototypeOf, intact } = require('internal/primordials');
const EventEmitter = require('node/events/events');

function Stream(options) {
  FunctionCall(EventEmitter, this, options);
}
ObjectSetPrototypeOf(Stream.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(Stream, EventEmitter);

Stream.prototype.pipe = function pipe(target, options) {
  const source = this;
  let hasEnded = false;
  const listeners = [];
  const listen = (emitter, name, listener) => {
    ArrayPush(listeners, [emitter, name, listener]);
    return listener;
  };
  const cleanup = () => {
    for (const { 0: emitter, 1: name, 2: listener } of intact(listeners)) emitter.removeListener(name, listener);
  };

  source.on(
    'data',
    listen(source, 'data', (chunk) => {
      if (target.writable && target.write(chunk) === false && source.pause) source.pause();
    }),
  );
  target.on(
    'drain',
    listen(target, 'drain', () => {
      if (source.readable && source.resume) source.resume();
    }),
  );
  if (!target._isStdio && options?.end !== false) {
    const once = (finish) => () => {
      if (hasEnded) return;
      hasEnded = true;
      finish();
    };
    source.on(
      'end',
      listen(
        source,
        'end',
        once(() => target.end()),
      ),
    );
    source.on(
      'close',
      listen(
        source,
        'close',
        once(() => {
          if (typeof target.destroy === 'function') target.destroy();
        }),
      ),
    );
  }
  // An 'error' without another listener is thrown, as from an emitter that is not piped.
  const makeErrorListener = () =>
    function onError(error) {
      cleanup();
      if (EventEmitter.listenerCount(this, 'error') === 0) this.emit('error', error);
    };
  for (const emitter of intact([source, target])) prepend(emitter, 'error', listen(emitter, 'error', makeErrorListener()));
  for (const { 0: emitter, 1: name } of intact([
    [source, 'end'],
    [source, 'close'],
    [target, 'close'],
  ]))
    emitter.on(name, listen(emitter, name, cleanup));
  target.emit('pipe', source);
  return target;
};

Stream.prototype.eventNames = function eventNames() {
  return FunctionCall(EventEmitter.prototype.eventNames, this);
};

const toBuffer = (view) => require('node/buffer/views').asBuffer(view);

module.exports = { Stream, isUint8Array, toBuffer };
