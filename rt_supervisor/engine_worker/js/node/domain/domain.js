'use strict';
// Owns: node:domain: domains, the stack of entered domains, and how an error in a domain reaches its listeners. An async hook
// associates callbacks with domains (`node/domain/pairing`); emitters are patched in `node/domain/emitters`. None of this is
// active before a program requires the module.
//
// Invariant: `active` and `process.domain` are the top of the stack, or empty with it.

const {
  ArrayEvery,
  ArrayIndexOf,
  ArrayLastIndexOf,
  ArrayPush,
  ArraySlice,
  ArraySplice,
  ObjectDefineProperty,
  ReflectApply,
  intact,
} = require('internal/primordials');
const { isError } = require('internal/brands');
const runtimeParts = require('internal/parts');
const EventEmitter = require('node/events/events');

const { process } = runtimeParts.process;
const domain = exports;
let stack = [];
let current = null;

ObjectDefineProperty(process, 'domain', {
  __proto__: null,
  enumerable: true,
  get: () => current,
  set(value) {
    current = value;
  },
});

/** Defines `value` as the hidden property `domain` of `target`. */
function mark(target, value) {
  ObjectDefineProperty(target, 'domain', { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

function activate(value) {
  domain.active = current = value;
}

/**
 * While a domain of the stack has an 'error' listener, uncaught errors go to the current domain, before 'uncaughtException'.
 */
function updateCapture() {
  process.setUncaughtExceptionCaptureCallback(null);
  if (ArrayEvery(stack, (each) => each.listenerCount('error') === 0)) return;
  process.setUncaughtExceptionCaptureCallback((error) => current._errorHandler(error));
}

/** Leaves all domains: 'uncaughtException' listeners run in none. */
function leaveAll() {
  stack.length = 0;
  activate(null);
  updateCapture();
}

process.on('newListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  process.removeListener(name, leaveAll);
  process.prependListener(name, leaveAll);
});
process.on('removeListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  const listeners = process.listeners(name);
  if (listeners.length === 1 && listeners[0] === leaveAll) process.removeListener(name, leaveAll);
});

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
    require('node/domain/pairing').start();
    this.on('removeListener', updateCapture);
    this.on('newListener', updateCapture);
  }

  /**
   * Handles an uncaught error thrown in this domain; returns true if its listeners, or those of an outer domain, handled it.
   */
  _errorHandler(error) {
    if ((typeof error === 'object' && error !== null) || typeof error === 'function') {
      mark(error, this);
      error.domainThrown = true;
    }
    while (domain.active === this) this.exit(); // its listeners do not run inside it
    let isTaken = false;
    if (stack.length === 0) {
      if (this.listenerCount('error') > 0) {
        process.setUncaughtExceptionCaptureCallback(null); // an error thrown by the outermost domain's listener is uncaught
        try {
          isTaken = this.emit('error', error);
        } finally {
          updateCapture();
        }
      }
    } else {
      try {
        isTaken = this.emit('error', error);
      } catch (another) {
        updateCapture();
        if (stack.length === 0) throw another;
        activate(stack[stack.length - 1]);
        isTaken = current._errorHandler(another);
      }
    }
    leaveAll(); // the turn is over
    return isTaken;
  }

  enter() {
    activate(this);
    ArrayPush(stack, this);
    updateCapture();
  }

  /** Leaves this domain and those entered after it. */
  exit() {
    const index = ArrayLastIndexOf(stack, this);
    if (index === -1) return;
    ArraySplice(stack, index);
    activate(stack.length === 0 ? undefined : stack[stack.length - 1]);
    updateCapture();
  }

  add(member) {
    if (member.domain === this) return;
    if (member.domain) member.domain.remove(member);
    if (member instanceof Domain) {
      for (let outer = this.domain; outer; outer = outer.domain) if (outer === member) return; // a domain cannot contain itself
    }
    mark(member, this);
    ArrayPush(this.members, member);
  }

  remove(member) {
    member.domain = null;
    const index = ArrayIndexOf(this.members, member);
    if (index !== -1) ArraySplice(this.members, index, 1);
  }

  run(callback, ...args) {
    return within(this, callback, this, args);
  }

  bind(callback) {
    const owner = this;
    function runBound(...args) {
      return within(owner, callback, this, args);
    }
    mark(runBound, this);
    return runBound;
  }

  /** As `bind`, for callbacks whose first argument may be an error: the domain emits it instead of calling `callback`. */
  intercept(callback) {
    const owner = this;
    return function runIntercepted(error, ...args) {
      if (!isError(error)) return within(owner, callback, this, args);
      error.domainBound = callback;
      error.domainThrown = false;
      mark(error, owner);
      owner.emit('error', error);
    };
  }
}
for (const name of intact(['_errorHandler', 'enter', 'exit', 'add', 'remove', 'run', 'intercept', 'bind']))
  ObjectDefineProperty(Domain.prototype, name, { __proto__: null, enumerable: true });
Domain.prototype.members = undefined;

/** Calls `callback` inside `owner`. If it throws, the domain stays entered, so that it receives the uncaught error. */
function within(owner, callback, receiver, args) {
  owner.enter();
  const result = ReflectApply(callback, receiver, args);
  owner.exit();
  return result;
}

let isWarnedOf = false;

/** Calls `callback` for an addon (MakeCallback), in the domain of its receiver. */
runtimeParts.domainCall = (callback, receiver, ...args) => {
  const owner = receiver.domain;
  if (!owner) return ReflectApply(callback, receiver, args);
  if (domain.active && !isWarnedOf) {
    isWarnedOf = true;
    process.emitWarning(
      'Using a domain property in MakeCallback is deprecated. Use the async_context variant of MakeCallback or the ' +
        `AsyncResource class instead. (Triggered by calling ${callback?.name || '<anonymous>'} on ${receiver?.constructor?.name}.)`,
      'DeprecationWarning',
      'DEP0097',
    );
  }
  return within(owner, callback, receiver, args);
};

/**
 * Calls `work` as if the current domain, however often it was entered, had been left: a domain's 'error' listeners run
 * outside it.
 */
function outsideCurrent(work) {
  const { 0: stackBefore, 1: before } = [stack, current];
  let depth = stack.length;
  while (depth > 0 && stack[depth - 1] === current) depth--;
  domain._stack = stack = ArraySlice(stack, 0, depth);
  activate(depth > 0 ? stack[depth - 1] : null);
  updateCapture();
  work();
  domain._stack = stack = stackBefore;
  activate(before);
  updateCapture();
}

domain._stack = stack;
domain.Domain = Domain;
domain.createDomain = domain.create = function createDomain() {
  return new Domain();
};
domain.active = null;
require('node/domain/emitters').start(domain, { mark, outsideCurrent });
