'use strict';
// Owns: what the runtime does differently while the debugger may listen: calls of the console and errors that end the program are
// reported to front ends, and the program's first function is called so that it pauses. Loaded when the debugger opens.

const handedDown = require('internal/parts');
const { ArrayIncludes, FunctionBind, ObjectDefineProperty, ObjectKeys, ReflectOwnKeys, intact } = require('internal/primordials');
const { createRequire } = require('node/module/commonjs');

const { native } = host;

/** Methods of the console that are V8's own. */
const OF_V8 = ['context', 'createTask'];

/** Make each method of the console call the method of V8's console first, which tells front ends. */
function hookConsole() {
  const own = handedDown.console;
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

function thrown(error) {
  try {
    native.inspector_thrown(error, `Uncaught ${typeof error === 'object' ? (error?.stack ?? '') : String(error)}`);
  } catch {
    // a value that cannot be made a text is not reported
  }
}

module.exports = {
  hook() {
    hookConsole();
    handedDown.tellThrown = thrown;
    return createRequire(`${handedDown.process.process.cwd()}/`);
  },
  listens(port) {
    handedDown.process.process.debugPort = port;
  },
  /** Have the first function of the program pause before its first statement. */
  breakOnStart() {
    handedDown.callFirst = (run, receiver, args) => {
      handedDown.callFirst = undefined;
      return native.inspector_callPaused(run, receiver, args);
    };
  },
};
