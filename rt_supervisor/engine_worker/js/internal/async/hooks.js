// @ts-check
'use strict';
// Owns: the enabled hooks of async_hooks.createHook, and calling them. Hooks enabled or disabled while hooks run take effect
// when the outermost call ends.

const runtimeParts = require('internal/parts');
const {
  ArrayFilter,
  ArrayIncludes,
  ArraySome,
  ObjectKeys,
  ReflectApply,
  SymbolToString,
  intact,
} = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const counts = { __proto__: null, init: 0, before: 0, after: 0, destroy: 0, promiseResolve: 0 };
const EVENTS = ObjectKeys(counts);

let enabled = [];
let depth = 0; // nesting depth of hook calls
let later; // the list that replaces `enabled` once the outermost call returns

/** An error that a hook throws ends the program, as in Node: hooks run where no code could catch it. */
function fatal(error) {
  const text =
    typeof error?.stack === 'string' ? error.stack : `Error: ${typeof error === 'symbol' ? SymbolToString(error) : error}`;
  host.writeErr(`${text}\n`);
  const { process } = runtimeParts.process;
  if (ArrayIncludes(givenFlags(process), '--abort-on-uncaught-exception')) process.abort();
  process.exit(1);
}

function callHooks(event, args) {
  depth++;
  try {
    for (let index = 0; index < enabled.length; index++) {
      const { callbacks, skipsPromises, hook } = enabled[index];
      const callback = callbacks[event];
      if (callback !== undefined && (!skipsPromises || !isPromiseTurn)) ReflectApply(callback, hook, args);
    }
  } catch (error) {
    fatal(error);
  } finally {
    depth--;
  }
  if (depth === 0 && later !== undefined) take();
}

let isPromiseTurn = false;
let onChange;

/** Calls the hooks of a promise event, except those that ignore promises. */
function forPromise(event, args) {
  const before = isPromiseTurn;
  isPromiseTurn = true;
  try {
    callHooks(event, args);
  } finally {
    isPromiseTurn = before;
  }
}

const nextList = () => later ?? enabled;

function change(list) {
  later = list;
  if (depth === 0) take();
}

function take() {
  const list = later;
  later = undefined;
  enabled = list;
  for (const event of intact(EVENTS)) {
    counts[event] = 0;
    for (const { callbacks } of intact(list)) if (callbacks[event] !== undefined) counts[event]++;
  }
  onChange?.();
}

module.exports = {
  counts,
  emit: (event, id) => callHooks(event, [id]),
  emitInit: (id, type, trigger, resource) => callHooks('init', [id, type, trigger, resource]),
  forPromise,
  isEnabled: (hook) => ArraySome(nextList(), (entry) => entry.hook === hook),
  enable: (entry) => change([...intact(nextList()), entry]),
  disable: (hook) => change(ArrayFilter(nextList(), (entry) => entry.hook !== hook)),
  tracksPromises: () => ArraySome(enabled, (entry) => !entry.skipsPromises),
  /** Sets the function to call whenever the set of enabled hooks changes. */
  setOnChange: (callback) => void (onChange = callback),
};
