// @ts-check
'use strict';
// Owns: listening to an emitter before all who listen to it already, whatever package the emitter is of.

const { ArrayIsArray, ArrayUnshift } = require('internal/primordials');

/** Listen first, also on emitters of older packages, which have no prependListener. */
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
