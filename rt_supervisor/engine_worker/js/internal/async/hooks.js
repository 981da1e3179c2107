// @ts-check
'use strict';
// Owns: the hooks of async_hooks.createHook that are enabled, and telling them. What enables or disables hooks while they
// are being told takes effect afterwards.

const { ArrayFilter, ArraySome, ObjectKeys, ReflectApply, intact } = require('internal/primordials');
const counts = { __proto__: null, init: 0, before: 0, after: 0, destroy: 0, promiseResolve: 0 };
const EVENTS = ObjectKeys(counts);

let enabled = [];

/** What a hook throws ends the program: it may have left its own books half written. */
function fatal(error) {
  const text = error !== null && typeof error === 'object' && typeof error.stack === 'string' ? error.stack : `${error}`;
  host.writeErr(`${text}\n`);
  globalThis.process.exit(1);
}

function tell(event, args) {
  const told = enabled; // replaced, never changed: enabling meanwhile makes another list
  try {
    for (let index = 0; index < told.length; index++) {
      const callback = told[index].callbacks[event];
      if (callback !== undefined && (!told[index].skipsPromises || !isPromiseTurn))
        ReflectApply(callback, told[index].hook, args);
    }
  } catch (error) {
    fatal(error);
  }
}

let isPromiseTurn = false;

/** Call `work` while what is told is about a promise. */
function forPromise(event, args) {
  const before = isPromiseTurn;
  isPromiseTurn = true;
  try {
    tell(event, args);
  } finally {
    isPromiseTurn = before;
  }
}

function change(list) {
  enabled = list;
  for (const event of intact(EVENTS)) {
    counts[event] = 0;
    for (const { callbacks } of intact(list)) if (callbacks[event] !== undefined) counts[event]++;
  }
}

module.exports = {
  counts,
  emit: (event, id) => tell(event, [id]),
  emitInit: (id, type, trigger, resource) => tell('init', [id, type, trigger, resource]),
  forPromise,
  isEnabled: (hook) => ArraySome(enabled, (entry) => entry.hook === hook),
  enable: (entry) => change([...intact(enabled), entry]),
  disable: (hook) => change(ArrayFilter(enabled, (entry) => entry.hook !== hook)),
  tracksPromises: () => ArraySome(enabled, (entry) => !entry.skipsPromises),
};
