// @ts-check
'use strict';
// Owns: QuotaExceededError: the DOMException that carries the requested amount and the quota.

const { NumberIsFinite, ObjectDefineProperty, intact } = require('internal/primordials');
const { DOMException, excludeQuotaExceeded } = require('internal/dom_exception');

/** Returns a number of the options, which must be finite and not negative, or null if it is missing. */
function amount(options, name) {
  if (options === undefined || options === null || !(name in options) || options[name] === undefined) return null;
  const value = Number(options[name]);
  if (!NumberIsFinite(value)) throw new TypeError(`Cannot convert options.${name} to a double: the value is ${value}`);
  if (value < 0) throw new RangeError(`options.${name} must not be negative`);
  return value;
}

let isQuotaExceeded;

class QuotaExceededError extends DOMException {
  #quota;
  #requested;

  static {
    isQuotaExceeded = (value) => #quota in value;
  }

  /** @param {any} [message] @param {any} [options] */
  constructor(message = '', options = undefined) {
    super(message, 'QuotaExceededError');
    this.#quota = amount(options, 'quota');
    this.#requested = amount(options, 'requested');
    if (this.#quota !== null && this.#requested !== null && this.#requested < this.#quota) {
      throw new RangeError('options.requested must not be less than options.quota');
    }
  }

  get quota() {
    return this.#quota;
  }
  get requested() {
    return this.#requested;
  }
}
for (const name of intact(['quota', 'requested']))
  ObjectDefineProperty(QuotaExceededError.prototype, name, { __proto__: null, enumerable: true });
ObjectDefineProperty(QuotaExceededError.prototype, Symbol.toStringTag, {
  __proto__: null,
  configurable: true,
  value: 'QuotaExceededError',
});

const serialize = ({ message, stack, quota, requested }) => ({
  message,
  stack,
  options: { quota: quota ?? undefined, requested: requested ?? undefined },
});

/** Recreates an error from its serialized form, in this thread or another. */
function unpack(kind, { facts: { message, stack, options } }) {
  const copy = new QuotaExceededError(message, options);
  ObjectDefineProperty(copy, 'stack', { __proto__: null, configurable: true, writable: true, value: stack });
  return copy;
}

excludeQuotaExceeded(isQuotaExceeded);
require('internal/cloneable').registerSerializable(
  isQuotaExceeded,
  (original) => unpack('QuotaExceededError', { facts: serialize(original) }),
  'QuotaExceededError',
  serialize,
);

module.exports = { QuotaExceededError, unpack };
