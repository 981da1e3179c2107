'use strict';
// Owns: named channels and their subscribers. A channel without subscribers is an instance of a class whose `publish` does
// nothing and is held weakly; one with subscribers is held strongly.

const {
  ArrayIndexOf,
  ArrayPop,
  ArrayPush,
  ArrayToSpliced,
  FinalizationRegistryRegister,
  MapDelete,
  MapGet,
  MapHas,
  MapSet,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  ReflectApply,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateFunction } = require('internal/validators');
const { nextTick } = require('internal/timers');

/** Reports an error thrown by a subscriber as an uncaught exception. */
const throwLater = (error) =>
  nextTick(() => {
    throw error;
  });

/** Channels by name; those with subscribers are in `activeChannels` as well, others live as long as something references them. */
const weakly = new Map();
const activeChannels = new Map(); // channel -> the number of its subscribers and stores
const forgotten = new FinalizationRegistry((name) => {
  if (MapGet(weakly, name)?.deref() === undefined) MapDelete(weakly, name);
});
const findChannel = (name) => MapGet(weakly, name)?.deref();

function hold(channel) {
  MapSet(activeChannels, channel, (MapGet(activeChannels, channel) ?? 0) + 1);
}

function release(channel) {
  const count = MapGet(activeChannels, channel) - 1;
  if (count > 0) MapSet(activeChannels, channel, count);
  else MapDelete(activeChannels, channel);
}

/** A scope in which a channel's stores hold their values for `data`; entering it publishes `data`. */
class StoreScope {
  #scopes = [];

  constructor(channel, data) {
    for (const { 0: store, 1: transform } of intact(channel._stores)) {
      let value = data;
      if (transform) {
        try {
          value = transform(data);
        } catch (error) {
          throwLater(error);
          continue;
        }
      }
      ArrayPush(this.#scopes, store.withScope(value));
    }
    channel.publish(data);
  }

  [Symbol.dispose]() {
    while (this.#scopes.length > 0) ArrayPop(this.#scopes)[Symbol.dispose]();
  }
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this._subscribers = [...intact(this._subscribers), subscription]; // a publish in progress keeps its own list
    hold(this);
  }

  unsubscribe(subscription) {
    const place = ArrayIndexOf(this._subscribers, subscription);
    if (place === -1) return false;
    this._subscribers = ArrayToSpliced(this._subscribers, place, 1);
    release(this);
    deactivate(this);
    return true;
  }

  bindStore(store, transform) {
    if (!MapHas(this._stores, store)) hold(this);
    MapSet(this._stores, store, transform);
  }

  unbindStore(store) {
    if (!MapDelete(this._stores, store)) return false;
    release(this);
    deactivate(this);
    return true;
  }

  get hasSubscribers() {
    return true;
  }

  publish(data) {
    for (let index = 0, list = this._subscribers ?? []; index < list.length; index++) {
      const listener = list[index];
      try {
        listener(data, this.name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  withStoreScope(data) {
    return new StoreScope(this, data);
  }

  runStores(data, fn, thisArg, ...args) {
    const scope = this.withStoreScope(data);
    try {
      return ReflectApply(fn, thisArg, args);
    } finally {
      scope[Symbol.dispose]();
    }
  }
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    this._index = undefined;
    MapSet(weakly, name, new WeakRef(this));
    FinalizationRegistryRegister(forgotten, this, name);
  }

  static [Symbol.hasInstance](instance) {
    const prototype = ObjectGetPrototypeOf(instance);
    return prototype === Channel.prototype || prototype === ActiveChannel.prototype;
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    activate(this);
    this.subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    activate(this);
    this.bindStore(store, transform);
  }

  unbindStore() {
    return false;
  }

  get hasSubscribers() {
    return false;
  }

  publish() {}

  runStores(data, fn, thisArg, ...args) {
    return ReflectApply(fn, thisArg, args);
  }

  withStoreScope() {
    return { [Symbol.dispose]() {} };
  }
}

function activate(channel) {
  ObjectSetPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
}

function deactivate(channel) {
  if (channel._subscribers.length > 0 || channel._stores.size > 0) return;
  ObjectSetPrototypeOf(channel, Channel.prototype);
  channel._subscribers = undefined;
  channel._stores = undefined;
}

function channel(name) {
  const existing = findChannel(name);
  if (existing) return existing;
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new codes.ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  return new Channel(name);
}

function subscribe(name, subscription) {
  return channel(name).subscribe(subscription);
}

function unsubscribe(name, subscription) {
  return channel(name).unsubscribe(subscription);
}

function hasSubscribers(name) {
  return findChannel(name)?.hasSubscribers ?? false;
}

module.exports = { Channel, channel, subscribe, unsubscribe, hasSubscribers };
