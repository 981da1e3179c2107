// @ts-check
// One thread of the program, the main one or a worker: its scripts, and whether it runs.
//
//     running --Debugger.paused--> paused --Debugger.resumed--> running
import { Signal } from '../base/signal.js';
import { Binding } from './binding.js';
import { Script } from './script.js';

/** @typedef {import('devtools-protocol').Protocol.Debugger.CallFrame} ProtocolFrame */
/** @typedef {import('devtools-protocol').Protocol.Debugger.PausedEvent} PausedEvent */
/** @typedef {import('devtools-protocol').Protocol.Runtime.StackTrace} StackTrace */
/** @typedef {import('devtools-protocol').Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {import('../protocol/session.js').Session} Session */
/** @typedef {import('./breakpoints.js').Breakpoints} Breakpoints */
/** @typedef {import('./source_map.js').SourcePosition} SourcePosition */
/** @typedef {'none' | 'uncaught' | 'all'} ExceptionPauses */
/** @typedef {'resume' | 'stepOver' | 'stepInto' | 'stepOut' | 'pause'} Move */

const RUNTIME_SCRIPTS = '^node:';
const ASYNC_DEPTH = 32;
const SCRIPT_CACHE_BYTES = 100_000_000;
const INSTRUMENTATION = 'instrumentation';
const START = 'Break on start';
const STEP_MS = 100; // most steps are over by then

/** A pause, as the protocol reports it. */
export class Pause {
  frame = 0;

  /** @param {PausedEvent} event */
  constructor(event) {
    this.reason = event.reason;
    this.data = event.data;
    this.frames = event.callFrames;
    this.asyncStack = event.asyncStackTrace;
    this.asyncStackId = event.asyncStackTraceId;
    this.isAtBreakpoint = (event.hitBreakpoints ?? []).length > 0;
  }
}

export class Thread {
  /** @type {Pause | null} while it is paused */
  pause = null;
  /** @type {Map<string, Script>} */
  scripts = new Map();
  /** The pause, or its selected frame, has changed.
   * @type {Signal<Thread>} */
  changed = new Signal();
  /** @type {Signal<Script>} */
  parsed = new Signal();

  #resuming = 0;
  #isOver = false;
  /** @type {WeakMap<Script, Promise<void>>} */
  #corrected = new WeakMap();
  /** How often it has paused or resumed. */
  #turns = 0;

  /** @param {Session} session @param {string} name @param {Breakpoints} breakpoints @param {{ isWorker: boolean }} options */
  constructor(session, name, breakpoints, { isWorker }) {
    this.session = session;
    this.name = name;
    this.isWorker = isWorker;
    this.binding = new Binding(this, breakpoints);
    session.on('Debugger.scriptParsed', (event) => this.#parsed(new Script(session, event)));
    session.on('Debugger.paused', (event) => this.#paused(event));
    session.on('Debugger.resumed', () => this.#resumed());
  }

  /**
   * Enables the debugger. A thread that waits for one runs when `run` is called.
   * @param {ExceptionPauses} exceptions
   */
  async begin(exceptions) {
    const { session } = this;
    // Scripts are reported before the messages that they have printed so far.
    session.attempt('Debugger.enable', { maxScriptsCacheSize: SCRIPT_CACHE_BYTES });
    session.attempt('Runtime.enable');
    session.attempt('Debugger.setAsyncCallStackDepth', { maxDepth: ASYNC_DEPTH });
    session.attempt('Debugger.setBlackboxPatterns', { patterns: [RUNTIME_SCRIPTS] });
    session.attempt('Profiler.enable');
    await this.pauseOnExceptions(exceptions);
    await this.binding.begin();
  }

  run() {
    return this.session.attempt('Runtime.runIfWaitingForDebugger');
  }

  /** The thread has ended. */
  end() {
    this.binding.end();
    this.#isOver = true;
    this.#resumed();
  }

  /** @param {ExceptionPauses} state */
  pauseOnExceptions(state) {
    return this.session.attempt('Debugger.setPauseOnExceptions', { state });
  }

  /** @param {Move} move */
  move(move) {
    return this.session.attempt(`Debugger.${move}`);
  }

  /** @param {{ url: string, line: number }} place */
  async continueTo({ url, line }) {
    const script = this.scriptsOf(url).at(-1);
    const found = script?.toScript(url, line);
    if (!script || !found) return;
    const location = { scriptId: script.id, lineNumber: found.line, columnNumber: found.column };
    await this.session.attempt('Debugger.continueToLocation', { location });
  }

  /** @param {number} index of a frame of the pause */
  selectFrame(index) {
    if (this.pause) this.pause.frame = index;
    this.changed.emit(this);
  }

  /** The frame in which expressions are evaluated; undefined while the thread runs. */
  get frame() {
    return this.pause?.frames[this.pause.frame];
  }

  /**
   * Evaluates an expression in the selected frame, or in the global scope.
   * @param {string} expression
   * @param {object} [options] of the protocol
   * @returns {Promise<{ result: RemoteObject, exceptionDetails?: import('devtools-protocol').Protocol.Runtime.ExceptionDetails }>}
   */
  evaluate(expression, options = {}) {
    const { frame } = this;
    const params = { expression, generatePreview: true, objectGroup: 'page', ...options };
    if (frame) return this.session.call('Debugger.evaluateOnCallFrame', { ...params, callFrameId: frame.callFrameId });
    return this.session.call('Runtime.evaluate', { ...params, replMode: true });
  }

  /**
   * @param {{ scriptId: string, lineNumber: number, columnNumber?: number }} location
   * @returns {SourcePosition | null}
   */
  toSource({ scriptId, lineNumber, columnNumber }) {
    return this.scripts.get(scriptId)?.toSource(lineNumber, columnNumber) ?? null;
  }

  /** @param {string} url of a source */
  scriptsOf(url) {
    return [...this.scripts.values()].filter((script) => !script.isInternal && script.sourceUrls.includes(url));
  }

  /** @param {Script} script */
  async #parsed(script) {
    this.scripts.set(script.id, script);
    if (script.loading) {
      await this.#correct(script);
      if (this.#isOver) return;
    }
    this.parsed.emit(script);
  }

  /**
   * Corrects the breakpoints of a script once, when its map is there.
   * @param {Script} script
   */
  #correct(script) {
    const correct = async () => {
      await script.loading;
      if (!this.#isOver) await this.binding.correct(script);
    };
    const corrected = this.#corrected.get(script) ?? correct();
    this.#corrected.set(script, corrected);
    return corrected;
  }

  /** @param {PausedEvent} event */
  async #paused(event) {
    const turn = ++this.#turns;
    const reasons = event.reason === 'ambiguous' ? event.data?.reasons : [{ reason: event.reason, auxData: event.data }];
    const instrumentation = reasons?.find((/** @type {any} */ each) => each.reason === INSTRUMENTATION);
    if (instrumentation) {
      const script = this.scripts.get((instrumentation.auxData ?? event.data)?.scriptId);
      if (script) await this.#correct(script);
      if (reasons.length === 1) {
        await this.move('resume');
        return;
      }
    }
    // A worker that has waited for this debugger pauses at its first statement, which the user has not asked for.
    const reason = /** @type {string} */ (event.reason);
    if (this.isWorker && reason === START) {
      await this.move('resume');
      return;
    }
    const loading = event.callFrames.flatMap(({ location }) => this.scripts.get(location.scriptId)?.loading ?? []);
    if (loading.length > 0) await Promise.all(loading);
    if (turn === this.#turns) this.#enter(new Pause(event));
  }

  #resumed() {
    this.#turns += 1;
    this.#enter(null);
  }

  /**
   * A step resumes and pauses again: views would flicker if they showed what is between the two.
   * @param {Pause | null} pause
   */
  #enter(pause) {
    clearTimeout(this.#resuming);
    if (this.pause === pause) return;
    this.pause = pause;
    if (pause) this.changed.emit(this);
    else this.#resuming = setTimeout(() => this.changed.emit(this), STEP_MS);
  }
}
