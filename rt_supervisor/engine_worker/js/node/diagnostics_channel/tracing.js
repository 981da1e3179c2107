'use strict';
// Owns: groups of channels: `boundedChannel` (start and end of a span) and `tracingChannel` (a call, its asynchronous
// continuation, and its error).

const { AnyThen } = require('internal/any_kind');
const {
  ArrayAt,
  ArraySplice,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ReflectApply,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateFunction } = require('internal/validators');
const { Channel, channel } = require('node/diagnostics_channel/channel');

const BOUNDED = ['start', 'end'];

function channelOf(nameOrChannels, event, className) {
  if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${event}`);
  if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
    const channel = nameOrChannels[event];
    if (channel === undefined) return undefined;
    if (!(channel instanceof Channel)) throw new codes.ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, 'Channel', channel);
    return channel;
  }
  throw new codes.ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', className], nameOrChannels);
}

/** A span: publishes its start on creation, its end on disposal. */
class BoundedChannelScope {
  #bounded;
  #context;
  #scope;

  constructor(bounded, context) {
    if (!bounded.hasSubscribers) return;
    this.#bounded = bounded;
    this.#context = context;
    this.#scope = bounded.start?.withStoreScope(context);
  }

  [Symbol.dispose]() {
    if (this.#bounded === undefined) return;
    const { end } = this.#bounded;
    this.#bounded = undefined;
    end?.publish(this.#context);
    this.#scope?.[Symbol.dispose]();
  }
}

class BoundedChannel {
  constructor(nameOrChannels) {
    for (const event of intact(BOUNDED)) {
      ObjectDefineProperty(this, event, { __proto__: null, value: channelOf(nameOrChannels, event, 'BoundedChannel') });
    }
  }

  get hasSubscribers() {
    return this.start?.hasSubscribers || this.end?.hasSubscribers;
  }

  subscribe(handlers) {
    for (const event of intact(BOUNDED)) if (handlers[event]) this[event]?.subscribe(handlers[event]);
  }

  unsubscribe(handlers) {
    let isDone = true;
    for (const event of intact(BOUNDED)) if (handlers[event] && !this[event]?.unsubscribe(handlers[event])) isDone = false;
    return isDone;
  }

  withScope(context = {}) {
    return new BoundedChannelScope(this, context);
  }

  run(context, fn, thisArg, ...args) {
    context ??= {};
    return within(this, context, () => ReflectApply(fn, thisArg, args));
  }
}

function within(bounded, context, run) {
  const scope = bounded.withScope(context);
  try {
    return run();
  } finally {
    scope[Symbol.dispose]();
  }
}

function warnOfNoThenable(fn) {
  host.emitWarning(`tracePromise was called with the function '${fn.name || '<anonymous>'}', which returned a non-thenable.`);
}

class TracingChannel {
  #call;
  #continuation;

  constructor(nameOrChannels) {
    const given = (event) =>
      nameOrChannels === null ? nameOrChannels[event] : channelOf(nameOrChannels, event, 'TracingChannel');
    if (typeof nameOrChannels === 'string') {
      this.#call = new BoundedChannel(nameOrChannels);
      this.#continuation = new BoundedChannel({
        start: channel(`tracing:${nameOrChannels}:asyncStart`),
        end: channel(`tracing:${nameOrChannels}:asyncEnd`),
      });
    } else {
      this.#call = new BoundedChannel({ start: given('start'), end: given('end') });
      this.#continuation = new BoundedChannel({ start: given('asyncStart'), end: given('asyncEnd') });
    }
    ObjectDefineProperty(this, 'error', { __proto__: null, value: channelOf(nameOrChannels, 'error', 'TracingChannel') });
  }

  get start() {
    return this.#call.start;
  }

  get end() {
    return this.#call.end;
  }

  get asyncStart() {
    return this.#continuation.start;
  }

  get asyncEnd() {
    return this.#continuation.end;
  }

  get hasSubscribers() {
    return this.#call.hasSubscribers || this.#continuation.hasSubscribers || this.error?.hasSubscribers;
  }

  subscribe({ start, end, asyncStart, asyncEnd, error }) {
    this.#call.subscribe({ start, end });
    this.#continuation.subscribe({ start: asyncStart, end: asyncEnd });
    if (error) this.error.subscribe(error);
  }

  unsubscribe({ start, end, asyncStart, asyncEnd, error }) {
    const isCallDone = this.#call.unsubscribe({ start, end });
    const isContinuationDone = this.#continuation.unsubscribe({ start: asyncStart, end: asyncEnd });
    const isErrorDone = !error || this.error.unsubscribe(error);
    return isCallDone && isContinuationDone && isErrorDone;
  }

  #publishError(context, error) {
    context.error = error;
    this.error?.publish(context);
  }

  traceSync(fn, context = undefined, thisArg, ...args) {
    if (!this.hasSubscribers) return ReflectApply(fn, thisArg, args);
    context ??= { __proto__: null };
    return within(this.#call, context, () => {
      try {
        const result = ReflectApply(fn, thisArg, args);
        context.result = result;
        return result;
      } catch (error) {
        this.#publishError(context, error);
        throw error;
      }
    });
  }

  tracePromise(fn, context = undefined, thisArg, ...args) {
    if (!this.hasSubscribers) {
      const result = ReflectApply(fn, thisArg, args);
      if (typeof result?.then !== 'function') warnOfNoThenable(fn);
      return result;
    }
    context ??= { __proto__: null };
    const failed = (error) => {
      this.#publishError(context, error);
      within(this.#continuation, context, () => {});
    };
    const settled = (result) => {
      context.result = result;
      within(this.#continuation, context, () => {});
      return result;
    };
    return within(this.#call, context, () => {
      try {
        const result = ReflectApply(fn, thisArg, args);
        if (typeof result?.then !== 'function') {
          warnOfNoThenable(fn);
          context.result = result;
          return result;
        }
        if (result instanceof Promise && ObjectGetPrototypeOf(result) === Promise.prototype) {
          return AnyThen(result, settled, (error) => {
            failed(error);
            throw error;
          });
        }
        AnyThen(result, settled, failed); // a thenable of another class is returned as it is
        return result;
      } catch (error) {
        this.#publishError(context, error);
        throw error;
      }
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return ReflectApply(fn, thisArg, args);
    const callback = ArrayAt(args, position);
    validateFunction(callback, 'callback');
    const tracing = this;
    ArraySplice(args, position, 1, function wrappedCallback(error, result) {
      if (error) tracing.#publishError(context, error);
      else context.result = result;
      return within(tracing.#continuation, context, () => ReflectApply(callback, this, arguments));
    });
    return within(this.#call, context, () => {
      try {
        return ReflectApply(fn, thisArg, args);
      } catch (error) {
        this.#publishError(context, error);
        throw error;
      }
    });
  }
}

function tracingChannel(nameOrChannels) {
  // Node throws this error: it reads the class of `start` before it checks that there is one.
  if (typeof nameOrChannels === 'object' && nameOrChannels !== null && nameOrChannels.start === undefined)
    throw new TypeError('Cannot convert undefined or null to object');
  return new TracingChannel(nameOrChannels);
}

function boundedChannel(nameOrChannels) {
  return new BoundedChannel(nameOrChannels);
}

module.exports = { tracingChannel, boundedChannel, BoundedChannel };
