'use strict';
// Owns: hooks that are active while the debugger may listen: console calls and fatal errors are reported to front ends, and
// the program's first function is called through V8 so that it pauses. Loaded when the debugger opens.

const runtimeParts = require('internal/parts');
const {
  ArrayIncludes,
  FunctionBind,
  ObjectDefineProperty,
  ObjectKeys,
  ReflectApply,
  ReflectOwnKeys,
  intact,
} = require('internal/primordials');
const { createRequire } = require('node/module/commonjs');

const { native } = host;

/** Console methods implemented by V8. */
const OF_V8 = ['context', 'createTask'];

/** Makes each console method call V8's console first, which notifies front ends. */
function hookConsole() {
  const own = runtimeParts.console;
  const inspected = native.extras.console;
  if (typeof own !== 'object' || own === null) return;
  for (const name of intact(ObjectKeys(inspected))) {
    if (typeof inspected[name] !== 'function' || ArrayIncludes(OF_V8, name)) continue;
    if (typeof own[name] !== 'function') {
      own[name] = inspected[name];
      continue;
    }
    const before = own[name];
    const both = FunctionBind(native.callBoth, own, inspected[name], before);
    ObjectDefineProperty(both, 'name', { __proto__: null, value: name, configurable: true });
    for (const key of intact(ReflectOwnKeys(before))) {
      if (key !== 'name' && key !== 'length' && key !== 'prototype') both[key] = before[key];
    }
    own[name] = both;
  }
}

function reportThrown(error) {
  try {
    native.inspector_thrown(error, `Uncaught ${typeof error === 'object' ? (error?.stack ?? '') : String(error)}`);
  } catch {
    // a value that cannot be converted to text is not reported
  }
}

/** Replaces `attempt` of internal/parts: V8 regards what `callback` throws as uncaught, because native code receives it. */
function attempt(callback, receiver, args, uncaught) {
  const failure = native.core_attempt(() => ReflectApply(callback, receiver, args));
  if (failure === undefined) return true;
  uncaught(failure[0]);
  return false;
}

let stopWatching;
let tasks; // the hook of followTasks

let testCount = 0;

/** Reports that a test of `node:test` was found, has started or has ended. */
function observeTest(event, test) {
  test.observedAs ??= ++testCount;
  native.inspector_test(event, {
    id: test.observedAs,
    name: test.name,
    url: test.place?.file,
    line: test.place?.line,
    type: test.isSuite ? 'describe' : 'test',
    parentId: test.parent?.observedAs,
    status: test.skipReason ? 'skip' : test.todoReason ? 'todo' : test.passed ? 'pass' : 'fail',
    elapsedMs: test.duration,
  });
}

module.exports = {
  hook() {
    hookConsole();
    runtimeParts.reportThrown = reportThrown;
    runtimeParts.attempt = attempt;
    runtimeParts.observeTest = observeTest;
    return createRequire(`${runtimeParts.process.process.cwd()}/`, undefined, '<inspector console>');
  },
  listens(port) {
    runtimeParts.process.process.debugPort = port;
  },
  /** Starts or stops announcing each reaction of a promise before it runs, for a debugger that pauses there. */
  watchMicrotasks(isWatched) {
    stopWatching?.();
    const { promiseHooks } = require('node/v8/diagnostics');
    stopWatching = isWatched ? promiseHooks.onBefore(() => native.inspector_beforeMicrotask()) : undefined;
  },
  /** Starts or stops reporting asynchronous tasks, which front ends show as the callers of callbacks. V8 knows promises. */
  followTasks(isFollowed) {
    tasks ??= require('node/async_hooks/hook').createHook({
      trackPromises: false,
      init: (id, type) => native.inspectedTaskScheduled(id, type),
      before: (id) => native.inspectedTaskStarted(id),
      after: (id) => native.inspectedTaskFinished(id),
      destroy: (id) => native.inspectedTaskCanceled(id),
    });
    if (isFollowed) tasks.enable();
    else tasks.disable();
  },
  /** Reports requests to front ends, or no longer. */
  observeNetwork(isObserved) {
    require('node/inspector/network').observe(isObserved);
  },
  /** Reports changes of localStorage and sessionStorage to front ends, or no longer. */
  observeStorage(isObserved) {
    require('node/inspector/dom_storage').observe(isObserved);
  },
  storageItems: (isLocal) => require('node/inspector/dom_storage').items(isLocal),
  storageKey: () => require('node/inspector/dom_storage').storageKey(),
  /** Makes the program's first function pause before its first statement. */
  breakOnStart() {
    runtimeParts.callFirst = (run, receiver, args) => {
      runtimeParts.callFirst = undefined;
      native.inspector_beforeFirst(); // V8 pauses in the next function that is called: apply is not JavaScript
      return ReflectApply(run, receiver, args);
    };
  },
};
