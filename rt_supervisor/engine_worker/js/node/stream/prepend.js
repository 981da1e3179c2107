// @ts-check
'use strict';
// Owns: adding a listener before all existing ones, for emitters of any implementation.

const { ArrayIsArray, ArrayUnshift } = require('internal/primordials');

/** Adds the listener first, also on emitters of older packages without prependListener. */
function prepend(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const existing = emitter._events?.[event];
  if (!existing) emitter.on(event, listener);
  else if (ArrayIsArray(existing)) ArrayUnshift(existing, listener);
  else emitter._events[event] = [listener, existing];
}

module.exports = { prepend };
