// @ts-check
// Sets the user's breakpoints in one thread.
//
// A position in a source becomes a position in each script that comes from it. The program may not have loaded that script yet: then
// the breakpoint is set for its URL, on the same line, which is right for scripts that run as written. When a script with a source
// map arrives, V8 pauses before it runs (an instrumentation breakpoint), the positions are corrected, and the script goes on.
import { conditionOf } from './breakpoints.js';

/** @typedef {import('./breakpoints.js').Breakpoint} Breakpoint */
/** @typedef {import('./breakpoints.js').Breakpoints} Breakpoints */
/** @typedef {import('./script.js').Script} Script */
/** @typedef {import('./thread.js').Thread} Thread */

export class Binding {
  /** @type {Map<Breakpoint, Promise<string[]>>} the protocol's numbers of each */
  #ids = new Map();
  #isInstrumented = false;

  /** @param {Thread} thread @param {Breakpoints} breakpoints */
  constructor(thread, breakpoints) {
    this.thread = thread;
    this.breakpoints = breakpoints;
    const stops = [
      breakpoints.changed.listen((changed) => changed && this.#set(changed)),
      breakpoints.removed.listen((removed) => this.#unset(removed)),
      breakpoints.activated.listen((active) => this.#session.attempt('Debugger.setBreakpointsActive', { active })),
    ];
    /** Ends the binding, because the thread has ended. */
    this.end = () => stops.forEach((stop) => stop());
    this.#session.on('Debugger.breakpointResolved', ({ breakpointId, location }) => this.#resolve(breakpointId, location));
  }

  get #session() {
    return this.thread.session;
  }

  /** Sets all of them. */
  async begin() {
    if (!this.breakpoints.areActive) this.#session.attempt('Debugger.setBreakpointsActive', { active: false });
    for (const breakpoint of this.breakpoints.all) breakpoint.boundLine = null;
    await Promise.all(this.breakpoints.all.map((each) => this.#set(each)));
  }

  /**
   * Corrects the breakpoints of a script that has arrived.
   * @param {Script} script
   */
  async correct(script) {
    if (!script.map) return;
    const concerned = this.breakpoints.all.filter(({ url }) => script.sourceUrls.includes(url));
    await Promise.all(concerned.map((each) => this.#set(each)));
  }

  /**
   * Removes the earlier positions of a breakpoint, then sets the current ones: V8 refuses a second one in the same place.
   * @param {Breakpoint} breakpoint
   */
  #set(breakpoint) {
    const ids = this.#unset(breakpoint).then(() => this.#setNow(breakpoint));
    this.#ids.set(breakpoint, ids);
    return ids;
  }

  /** @param {Breakpoint} breakpoint */
  async #setNow(breakpoint) {
    if (!breakpoint.isEnabled || !this.breakpoints.all.includes(breakpoint)) return [];
    if (!this.#isInstrumented) {
      this.#isInstrumented = true;
      const instrumentation = 'beforeScriptWithSourceMapExecution';
      this.#session.attempt('Debugger.setInstrumentationBreakpoint', { instrumentation });
    }
    const condition = conditionOf(breakpoint);
    const replies = this.#places(breakpoint).map((place) =>
      this.#session.attempt('Debugger.setBreakpointByUrl', { ...place, condition }),
    );
    const set = (await Promise.all(replies)).filter((answer) => answer !== null);
    const [location] = set.flatMap((answer) => answer.locations);
    if (location) this.#note(breakpoint, location);
    return set.map((answer) => answer.breakpointId);
  }

  /** @param {Breakpoint} breakpoint */
  async #unset(breakpoint) {
    const ids = this.#ids.get(breakpoint);
    this.#ids.delete(breakpoint);
    for (const breakpointId of (await ids) ?? []) await this.#session.attempt('Debugger.removeBreakpoint', { breakpointId });
  }

  /**
   * Returns the positions in scripts, one for each URL.
   * @param {Breakpoint} breakpoint
   */
  #places({ url, line, column }) {
    /** @type {Map<string, { url: string, lineNumber: number, columnNumber?: number }>} */
    const places = new Map();
    for (const script of this.thread.scriptsOf(url)) {
      const found = script.toScript(url, line, column ?? null);
      if (found) places.set(script.url, { url: script.url, lineNumber: found.line, columnNumber: found.column });
      else places.delete(script.url);
    }
    return places.size > 0 ? [...places.values()] : [{ url, lineNumber: line, columnNumber: column ?? undefined }];
  }

  /** @param {string} id @param {import('devtools-protocol').Protocol.Debugger.Location} location */
  async #resolve(id, location) {
    for (const [breakpoint, ids] of this.#ids) if ((await ids).includes(id)) this.#note(breakpoint, location);
  }

  /** @param {Breakpoint} breakpoint @param {import('devtools-protocol').Protocol.Debugger.Location} location */
  #note(breakpoint, location) {
    const found = this.thread.toSource(location);
    if (found?.url === breakpoint.url) this.breakpoints.bound(breakpoint, found.line);
  }
}
