// @ts-check
'use strict';
// Owns: how many listeners an event of an EventTarget may have, which programs read and set under symbols, and the warning about
// more of them.

const { ObjectAssign, ObjectDefineProperty, WeakMapGet, WeakMapSet } = require('internal/primordials');
const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = require('internal/listener_limits');

const maxListeners = new WeakMap(); // target -> limit that a program has set
const warned = new WeakMap(); // target -> whether it has been warned about

/** Targets with a prototype tell and take their limit under a symbol; until it is set it is what `fallback` gives. */
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

/** Set how many listeners an event of `target` may have; it may be warned about again. */
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
