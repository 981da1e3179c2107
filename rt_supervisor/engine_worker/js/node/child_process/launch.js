// @ts-check
'use strict';
// Owns: starting a child through the host, for RT.spawn and node:child_process alike, and the handle of a running one: its
// pid, its exit, signals, and whether it keeps the program alive.

const native = host.native;

class ChildHandle {
  #isReferenced = true;
  #isRunning = false;
  pid = undefined;
  /** Our ends of its pipes, by the child's descriptor; null if there is none. */
  ends = [];

  /** Starts it; returns 0 or a negative errno. `onExit(code, signal number, usage)`: code or signal is null. */
  start(request, onExit) {
    const { 0: pid, 1: ends } = native.children_spawn(request, (code, signal, usage) => {
      this.#isRunning = false;
      if (this.#isReferenced) native.pipes_reference(-1);
      onExit(code, signal, usage);
    });
    if (pid < 0) return pid;
    this.pid = pid;
    this.ends = ends;
    this.#isRunning = true;
    if (this.#isReferenced) native.pipes_reference(1);
    return 0;
  }

  get isRunning() {
    return this.#isRunning;
  }

  /** Sends a signal; returns false if the child has ended. Throws the errors of kill(2). */
  kill(number) {
    if (!this.#isRunning) return false;
    native.process_kill(this.pid, number);
    return true;
  }

  #reference(isReferenced) {
    if (this.#isReferenced === isReferenced) return;
    this.#isReferenced = isReferenced;
    if (this.#isRunning) native.pipes_reference(isReferenced ? 1 : -1);
  }
  ref() {
    this.#reference(true);
  }
  unref() {
    this.#reference(false);
  }
  hasRef() {
    return this.#isReferenced && this.#isRunning;
  }
}

/** A request for `native/src/children`, with defaults for what `settings` omits. */
const requestOf = (settings) => ({ __proto__: null, cwd: '', path: null, detached: false, uid: -1, gid: -1, ...settings });

const signalName = (number) => (number === null ? null : (require('internal/signals').nameOf(number) ?? `SIG${number}`));

module.exports = { ChildHandle, requestOf, signalName };
