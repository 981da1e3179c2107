'use strict';
// Owns: `process.dlopen`: opens a native addon's library and fills a module's exports. The native half, `native/src/addons`,
// receives the JavaScript values that it needs from here.

const runtimeParts = require('internal/parts');
const { MathTrunc, RegExpExec, WeakSetAdd } = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const { untransferable } = require('internal/cloneable');
const context = require('internal/async/context');

const DISCARDED =
  'Uncaught Node-API callback exception detected, please run node with option --force-node-api-uncaught-exceptions-policy=true to handle those exceptions properly.';
const POLICY = /^--(no-)?force-node-api-uncaught-exceptions-policy(?:=(.*))?$/;

/** Whether an exception in a callback of an addon for an older Node-API version is an uncaught exception as well. */
function isForced() {
  let forced = false;
  const words = givenFlags(runtimeParts.process.process);
  for (let index = 0; index < words.length; index++) {
    const match = RegExpExec(POLICY, words[index]);
    if (match !== null) forced = match[1] === undefined && match[2] !== 'false';
  }
  return forced;
}

/** Handles an exception in a callback of an addon built for a Node-API version before 10. */
function handleDiscardedError(error) {
  if (isForced()) runtimeParts.uncaught(error);
  else runtimeParts.process.process.emitWarning(DISCARDED, 'DeprecationWarning', 'DEP0168');
}

/** Creates an async resource of an addon; undefined until node:async_hooks is used. */
function beginResource(resource, type) {
  return context.isUsed ? require('internal/async/tracking').initFor(Object(resource ?? {}), `${type}`) : undefined;
}

function enterResource({ id, trigger, object }) {
  require('internal/async/tracking').enter(id, trigger, object);
}

let hooks;

/** The library values that addons need, created once. */
function libraryHooks() {
  hooks ??= {
    get domainCall() {
      return runtimeParts.domainCall;
    },
    bufferPrototype: require('node/buffer/buffer').Buffer.prototype,
    uncaught: (error) => runtimeParts.uncaught(error),
    discarded: handleDiscardedError,
    beginResource,
    enterResource,
    exitResource: ({ id }) => require('internal/async/tracking').exit(id),
    leaveResource: ({ id }) => require('internal/async/tracking').exit(id, false), // as in Node, after an exception
    endResource: ({ id }) => require('internal/async/tracking').queueDestroy(id),
    markAsUntransferable: (buffer) => WeakSetAdd(untransferable, buffer),
    nodeVersion: runtimeParts.process.process.versions.node,
  };
  return hooks;
}

/** `flags` is converted as in C: values that are not numbers become 0. */
function dlopen(module, filename, flags) {
  const target = toObject(module);
  const exported = toObject(target.exports);
  const own = target.filename;
  const url = typeof own === 'string' ? require('node/url/url').pathToFileURL(own).href : '';
  host.native.addons_load(target, exported, `${filename}`, url, MathTrunc(Number(flags)) || 0, libraryHooks());
}

function toObject(value) {
  if (value === undefined || value === null) throw new TypeError('Cannot convert undefined or null to object');
  return Object(value);
}

module.exports = { dlopen };
