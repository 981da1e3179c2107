'use strict';
// Owns: members of process that Node does not document and old packages use.

const handedDown = require('internal/parts');
const { ObjectAssign, intact } = require('internal/primordials');
const native = host.native;

module.exports = {
  binding: (name) => require('node/process/bindings').binding(name),
  _linkedBinding(name) {
    throw ObjectAssign(new Error(`No such binding was linked: ${name}`), { code: 'ERR_INVALID_MODULE' });
  },
  _rawDebug(...args) {
    native.core_write(2, `${require('internal/inspect/format').format(...intact(args))}\n`);
  },
  /** 0, or minus the number of the error. */
  _kill(pid, signal) {
    try {
      native.process_kill(pid, signal);
      return 0;
    } catch (error) {
      return error.errno;
    }
  },
  _getActiveHandles: () => [],
  _getActiveRequests: () => [],
  _tickCallback() {
    require('internal/timers').drain();
  },
  _fatalException(error) {
    handedDown.entry.uncaught(error);
    return true;
  },
};
