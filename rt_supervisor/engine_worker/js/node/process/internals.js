'use strict';
// Owns: undocumented members of process that old packages use.

const runtimeParts = require('internal/parts');
const { ArrayMap, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;
const kinds = { __proto__: null };

/** The class named after a request type. */
const classNamed = (name) => (kinds[name] ??= { [name]: class {} }[name]);

module.exports = {
  binding: (name) => require('node/process/bindings').binding(name),
  _linkedBinding(name) {
    throw ObjectAssign(new Error(`No such binding was linked: ${name}`), { code: 'ERR_INVALID_MODULE' });
  },
  _rawDebug(...args) {
    native.core_write(2, `${require('internal/inspect/format').format(...intact(args))}\n`);
  },
  /** Returns 0 or a negative errno. */
  _kill(pid, signal) {
    try {
      native.process_kill(pid, signal);
      return 0;
    } catch (error) {
      return error.errno;
    }
  },
  _getActiveHandles: () => ArrayMap(require('internal/active_handles').active().handles, (handle) => handle[0]),
  _getActiveRequests: () => ArrayMap(require('internal/active_handles').requests(), (name) => new (classNamed(name))()),
  getActiveResourcesInfo() {
    const { active, requests } = require('internal/active_handles');
    const { handles, timers } = active();
    return [...intact(requests()), ...intact(ArrayMap(handles, (handle) => handle[1])), ...intact(timers)];
  },
  _tickCallback() {
    require('internal/timers').drain();
  },
  _fatalException(error, isRejection) {
    return runtimeParts.offerUncaught(error, isRejection ? 'unhandledRejection' : 'uncaughtException');
  },
};
