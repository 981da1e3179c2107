'use strict';
// Owns: RT.RedisClient and RT.redis: a client connects on first use, queues commands meanwhile, reconnects after a loss, and
// receives messages of subscribed channels.
//
// idle --first use--> connecting --> ready --lost--> waiting --> connecting …; too many failures, or one without autoReconnect
// --> failed; close() --> closed

const { awaitedRejecter } = require('internal/errors/places');
const { PromiseResolve } = require('internal/promises');
const {
  ArrayIncludes,
  ArrayIsArray,
  ArrayPush,
  FunctionCall,
  MapClear,
  MapDelete,
  MapGet,
  MapKeys,
  MapSet,
  MathMin,
  ObjectDefineProperty,
  PromiseThen,
  SetAdd,
  SetClear,
  SetDelete,
  StringIndexOf,
  StringSlice,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { addressOf } = require('rt/redis/address');
const { define, wordsOf } = require('rt/redis/commands');
const { Connection, closedError } = require('rt/redis/connection');
const { RedisError } = require('rt/redis/protocol');

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;
const USUAL_RETRIES = 10;
const USUAL_TIMEOUT_MS = 10_000;

class RedisClient {
  #address;
  #options;
  #state = 'idle';
  #connection;
  #queue = []; // commands that wait for a connection: [words, entry]
  #failures = 0;
  #timer;
  #connecting; // the promise of connect(), with its resolving functions
  #channels = new Map(); // 'subscribe NAME' or 'psubscribe PATTERN' -> listeners
  #isPatient = true; // false while preconnecting: one attempt, which does not keep the program alive
  onconnect = undefined;
  onclose = undefined;

  constructor(url = undefined, options = undefined) {
    this.#address = addressOf(url);
    this.#options = options ?? {};
    for (const name of intact(['onconnect', 'onclose']))
      ObjectDefineProperty(this, name, {
        __proto__: null,
        value: undefined,
        writable: true,
        enumerable: false,
        configurable: true,
      });
  }

  get connected() {
    return this.#state === 'ready';
  }
  get bufferedAmount() {
    return this.#connection?.bufferedAmount ?? 0;
  }

  // --- the connection

  connect() {
    if (this.#state === 'ready') return PromiseResolve();
    if (this.#connecting === undefined) {
      const waiting = {};
      waiting.promise = new Promise((resolve) => {
        waiting.resolve = resolve;
        waiting.reject = awaitedRejecter(resolve);
      });
      this.#connecting = waiting;
    }
    const { promise } = this.#connecting;
    this.#isPatient = true;
    if (this.#state === 'idle' || this.#state === 'failed' || this.#state === 'closed') {
      this.#failures = 0;
      this.#open();
    }
    return promise;
  }

  /** Connects ahead of use: one attempt, which the program does not wait for. */
  static warm(client, onFailure, done) {
    client.#isPatient = false;
    client.#connecting = { resolve: done, reject: (error) => onFailure(error, client.#address.shown) };
    client.#failures = client.#most;
    client.#open();
  }

  get #most() {
    const { autoReconnect = true, maxRetries = USUAL_RETRIES } = this.#options;
    return autoReconnect ? maxRetries : 0;
  }

  #open() {
    this.#state = 'connecting';
    const { connectionTimeout = USUAL_TIMEOUT_MS, tls } = this.#options;
    this.#connection = new Connection(
      this.#address,
      { tls, timeoutMs: connectionTimeout, isReferenced: this.#isPatient || this.#queue.length > 0 },
      {
        ready: () => this.#ready(),
        message: (kind, items) => this.#message(kind, items),
        idle: () => this.#restIfIdle(),
        onClose: (error) => this.#handleLoss(error),
      },
    );
  }

  #ready() {
    this.#state = 'ready';
    this.#failures = 0;
    const connection = this.#connection;
    for (const key of intact(MapKeys(this.#channels))) {
      const at = StringIndexOf(key, ' ');
      connection.isSubscriber = true;
      connection.send([StringSlice(key, 0, at), StringSlice(key, at + 1)], {
        resolve() {},
        reject() {},
        confirms: 1,
        asBytes: false,
      });
    }
    const queue = this.#queue;
    this.#queue = [];
    connection.ref();
    for (let index = 0; index < queue.length; index++) connection.send(queue[index][0], queue[index][1]);
    const waiting = this.#connecting;
    this.#connecting = undefined;
    this.#restIfIdle();
    if (typeof this.onconnect === 'function') this.onconnect();
    waiting?.resolve();
  }

  /** A connection without pending replies does not keep the program alive. */
  #restIfIdle() {
    const connection = this.#connection;
    if (this.#state === 'ready' && connection !== undefined && connection.waiting === 0 && this.#channels.size === 0)
      connection.unref();
  }

  #handleLoss(error) {
    const wasReady = this.#state === 'ready';
    this.#connection = undefined;
    if (this.#state === 'closed') return;
    const isFinal = error.code === 'ERR_REDIS_AUTHENTICATION_FAILED';
    if (wasReady && typeof this.onclose === 'function') this.onclose(error);
    const isWanted = this.#queue.length > 0 || this.#channels.size > 0 || this.#connecting !== undefined;
    if (!isFinal && this.#failures < this.#most) {
      const wait = MathMin(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
      this.#state = 'waiting';
      this.#timer = startTimer(() => this.#open(), wait);
      if (!isWanted) this.#timer.unref();
      return;
    }
    this.#state = wasReady && this.#options.autoReconnect !== false ? 'idle' : 'failed';
    const isOne = this.#most === 0 || !this.#isPatient;
    const failure = isFinal || isOne ? error : closedError('Max reconnection attempts reached', error.cause ?? error);
    if (!wasReady && typeof this.onclose === 'function') this.onclose(failure);
    this.#rejectAll(failure);
  }

  #rejectAll(error) {
    const queue = this.#queue;
    this.#queue = [];
    const waiting = this.#connecting;
    this.#connecting = undefined;
    for (let index = 0; index < queue.length; index++) queue[index][1].reject(error);
    if (waiting === undefined) return;
    waiting.reject(error);
    // The caller of connect() handles the rejection; it must not be reported as unhandled. The handler is added in a microtask
    // after the rejection, because V8 finds the function that awaits a promise only if nothing else does.
    PromiseThen(PromiseResolve(), () => waiting.promise?.catch(() => {}));
  }

  close() {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state !== 'idle' && this.#state !== 'failed';
    this.#state = 'closed';
    stopTimer(this.#timer);
    MapClear(this.#channels);
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
    const error = closedError();
    this.#rejectAll(error);
    if (wasOpen && typeof this.onclose === 'function') this.onclose(error);
  }

  async duplicate() {
    const { shown, ...address } = this.#address;
    const other = new RedisClient(undefined, this.#options);
    other.#address = { shown, ...address };
    await other.connect();
    return other;
  }

  // --- commands

  #run(words, { command, make, asBytes = false, confirms = 0 }) {
    if (this.#channels.size > 0 && confirms === 0 && command !== 'ping') {
      const text = `RedisClient.prototype.${command} cannot be called while in subscriber mode.`;
      throw new RedisError('ERR_REDIS_INVALID_STATE', text);
    }
    return new Promise((resolve) => {
      const reject = awaitedRejecter(resolve);
      const entry = { resolve, reject, make, asBytes, confirms };
      if (this.#state === 'ready') {
        this.#connection.ref();
        this.#connection.send(words, entry);
        return;
      }
      if (this.#state === 'closed') {
        reject(closedError());
        return;
      }
      if (this.#state === 'failed' && this.#options.autoReconnect === false) {
        reject(closedError('Connection has failed'));
        return;
      }
      if (this.#options.enableOfflineQueue === false) {
        reject(closedError('Connection is closed and offline queue is disabled'));
        return;
      }
      ArrayPush(this.#queue, [words, entry]);
      if (this.#state === 'idle' || this.#state === 'failed') {
        this.#failures = 0;
        this.#open();
      } else if (this.#state === 'waiting') this.#timer.ref();
      else this.#connection.ref();
    });
  }
  static {
    define(RedisClient.prototype, function run(words, settings) {
      return this.#run(words, settings);
    });
  }

  send(command, args = []) {
    if (typeof command !== 'string') throw invalid('command', 'a string');
    if (!ArrayIsArray(args)) throw invalid('args', 'an array');
    const [, ...words] = intact(wordsOf('command', args));
    return this.#run([command, ...intact(words)], { command: 'send' });
  }
  getBuffer(...args) {
    return this.#run(wordsOf('get', args), { command: 'getBuffer', asBytes: true });
  }

  // --- channels

  subscribe(channels, listener) {
    return this.#subscribe('subscribe', channels, listener);
  }
  psubscribe(patterns, listener) {
    return this.#subscribe('psubscribe', patterns, listener);
  }
  unsubscribe(channels = undefined, listener = undefined) {
    return this.#unsubscribe('subscribe', channels, listener);
  }
  punsubscribe(patterns = undefined, listener = undefined) {
    return this.#unsubscribe('psubscribe', patterns, listener);
  }

  #subscribe(command, names, listener) {
    if (typeof listener !== 'function') throw invalid('listener', 'a function');
    const list = ArrayIsArray(names) ? names : [names];
    if (list.length === 0) throw invalid('channel', 'a string or a list of them');
    for (const name of intact(list)) if (typeof name !== 'string') throw invalid('channel', 'a string or a list of them');
    const promise = this.#run([StringToUpperCase(command), ...intact(list)], { command, confirms: list.length });
    for (const name of intact(list)) {
      const key = `${command} ${name}`;
      const listeners = MapGet(this.#channels, key) ?? new Set();
      SetAdd(listeners, listener);
      MapSet(this.#channels, key, listeners);
    }
    if (this.#connection !== undefined) this.#connection.isSubscriber = true;
    return promise;
  }

  async #unsubscribe(command, names, listener) {
    const removals = [];
    const list = names === undefined ? undefined : ArrayIsArray(names) ? names : [names];
    for (const key of intact([...intact(MapKeys(this.#channels))])) {
      const at = StringIndexOf(key, ' ');
      const name = StringSlice(key, at + 1);
      if (StringSlice(key, 0, at) !== command || (list !== undefined && !ArrayIncludes(list, name))) continue;
      const listeners = MapGet(this.#channels, key);
      if (listener === undefined) SetClear(listeners);
      else SetDelete(listeners, listener);
      if (listeners.size > 0) continue;
      MapDelete(this.#channels, key);
      ArrayPush(removals, name);
    }
    if (removals.length === 0 || this.#state !== 'ready') return;
    const words = [command === 'subscribe' ? 'UNSUBSCRIBE' : 'PUNSUBSCRIBE', ...intact(removals)];
    await this.#run(words, { command, confirms: removals.length });
    if (this.#channels.size === 0 && this.#connection !== undefined) this.#connection.isSubscriber = false;
    this.#restIfIdle();
  }

  #message(kind, items) {
    const isPattern = kind === 'pmessage';
    const listeners = MapGet(this.#channels, `${isPattern ? 'psubscribe' : 'subscribe'} ${items[1]}`);
    if (listeners === undefined) return;
    const { 0: channel, 1: text } = isPattern ? [items[2], items[3]] : [items[1], items[2]];
    const { call } = require('internal/timers');
    for (const listener of intact([...intact(listeners)])) call(() => FunctionCall(listener, this, text, channel), undefined, []);
  }
}

function invalid(name, expected) {
  const error = new TypeError(`Expected ${name} to be ${expected}`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

const { warm } = RedisClient;
delete RedisClient.warm; // not part of the public class

let shared;
module.exports = {
  RedisClient,
  warm: (onFailure, done) => warm((shared ??= new RedisClient()), onFailure, done),
  get redis() {
    return (shared ??= new RedisClient());
  },
};
