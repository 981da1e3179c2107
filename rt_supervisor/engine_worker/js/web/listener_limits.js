// @ts-check
'use strict';
// Owns: the limit of listeners for an event of an EventTarget, which programs read and set under symbols, and the warning about
// exceeding it.

const { ObjectAssign, ObjectDefineProperty, WeakMapGet, WeakMapSet } = require('internal/primordials');
const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = require('internal/listener_limits');

const maxListeners = new WeakMap(); // target -> limit set by the program
const warned = new WeakMap(); // target -> whether the warning has been given

/** Defines the limit of targets with a prototype under a symbol; until it is set, `fallback` provides it. */
function defineListenerLimit(prototype, fallback) {
  ObjectDefineProperty(prototype, kMaxEventTargetListeners, {
    __proto__: null,
    configurable: true,
    get() {
      return WeakMapGet(maxListeners, this) ?? fallback();
    },
    set(limit) {
      WeakMapSet(maxListeners, this, limit);
    },
  });
  ObjectDefineProperty(prototype, kMaxEventTargetListenersWarned, {
    __proto__: null,
    configurable: true,
    get() {
      return WeakMapGet(warned, this) ?? false;
    },
    set(value) {
      WeakMapSet(warned, this, value);
    },
  });
}

/** Sets the limit of listeners for an event of `target`, and allows another warning. */
function setLimit(target, limit) {
  target[kMaxEventTargetListeners] = limit;
  target[kMaxEventTargetListenersWarned] = false;
}

function warnAboutLeak(target, type, count) {
  if (count === 1) return;
  const limit = target[kMaxEventTargetListeners];
  if (!(limit > 0 && count > limit) || target[kMaxEventTargetListenersWarned]) return;
  target[kMaxEventTargetListenersWarned] = true;
  const text =
    `Possible EventTarget memory leak detected. ${count} ${type} listeners added to ` +
    `${require('internal/inspect/inspect').inspect(target, { depth: -1 })}. MaxListeners is ${limit}. Use events.setMaxListeners() to increase limit`;
  const warning = new Error(text);
  require('internal/primordials').setOwn(warning, 'name', 'MaxListenersExceededWarning');
  host.emitWarning(ObjectAssign(warning, { target, type, count }));
}

module.exports = { defineListenerLimit, setLimit, warnAboutLeak };
