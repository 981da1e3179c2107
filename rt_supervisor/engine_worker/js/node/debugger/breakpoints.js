'use strict';
// Owns: the debugger's breakpoints: set at a line, a script name or a function, listed, removed, and restored when the
// program restarts.

const { ArrayFilter, ArrayFind, ArrayIndexOf, ArrayJoin, ArrayMap, ArrayPush, ArraySplice, ObjectKeys, RegExpReplace, StringEndsWith, StringIncludes, StringSlice } = require('internal/primordials'); // prettier-ignore
const { PromiseAll } = require('internal/promises');
const { validateString } = require('internal/validators');
const { nameOf } = require('node/debugger/sources');
const { RemoteObject } = require('node/debugger/values');

class Breakpoints {
  #view;
  list = []; // { breakpointId, location }

  /** `view` is the debugger's display (`node/debugger/view`). */
  constructor(view) {
    this.#view = view;
  }

  /** Handles V8's resolution of a breakpoint. */
  handleResolved({ breakpointId, location }) {
    const url = this.#view.scripts[location.scriptId]?.url;
    const place = url === undefined ? location : { ...location, scriptUrl: url };
    const existing = ArrayFind(this.list, (each) => each.breakpointId === breakpointId);
    if (existing === undefined) ArrayPush(this.list, { breakpointId, location: place });
    else existing.location = place;
  }

  /**
   * Sets a breakpoint: at the current location, at a line of the current script, or at `line` of the script or function
   * `script`.
   */
  async set(script, line, condition) {
    const view = this.#view;
    const { client } = view;
    if (script === undefined) return this.#place(script, 'setBreakpoint', { location: view.place, condition });
    if (line === undefined && typeof script === 'number') {
      const location = { scriptId: view.place.scriptId, lineNumber: script - 1 };
      return this.#place(script, 'setBreakpoint', { location, condition });
    }
    validateString(script, 'script');
    if (StringEndsWith(script, '()')) return this.#atCalls(StringSlice(script, 0, -2));
    const ids = view.scripts[script] === undefined ? this.#idsOf(script) : [script];
    if (ids.length > 1) return view.print('Script name is ambiguous');
    if (line <= 0) return view.print('Line should be a positive value');
    const lineNumber = line - 1;
    if (ids.length === 1) return this.#place(script, 'setBreakpoint', { location: { scriptId: ids[0], lineNumber }, condition });
    const urlRegex = `^(.*[\\/\\\\])?${RegExpReplace(/([/\\.?*()^${}|[\]])/g, script, (each) => `\\${each}`)}$`;
    const { breakpointId } = await client.call('Debugger.setBreakpointByUrl', { urlRegex, lineNumber, condition });
    return this.#reportSet(script, { breakpointId, actualLocation: { scriptUrl: `.*/${script}$`, lineNumber } });
  }

  async #place(script, method, params) {
    return this.#reportSet(script, await this.#view.client.call(`Debugger.${method}`, params));
  }

  #reportSet(script, { breakpointId, actualLocation }) {
    this.handleResolved({ breakpointId, location: actualLocation });
    if (actualLocation.scriptId !== undefined) return this.#view.excerpt(actualLocation);
    this.#view.print(`Warning: script '${script}' was not loaded yet.`);
    return undefined;
  }

  /** Such a breakpoint has no number and cannot be removed. */
  async #atCalls(name) {
    const { result } = await this.#view.evaluate(`debug(${name})`, { includeCommandLineAPI: true });
    return result.subtype === 'error' ? new RemoteObject(result) : undefined;
  }

  #idsOf(name) {
    const { scripts } = this.#view;
    return ArrayFilter(ObjectKeys(scripts), (id) => StringIncludes(scripts[id].url, name));
  }

  async clear(name, line) {
    const { scripts, client } = this.#view;
    const breakpoint = ArrayFind(this.list, ({ location }) => {
      const script = scripts[location?.scriptId];
      return script !== undefined && StringIncludes(script.url, name) && location.lineNumber + 1 === line;
    });
    if (breakpoint === undefined) {
      this.#view.print(`Could not find breakpoint at ${name}:${line}`);
      return;
    }
    await client.call('Debugger.removeBreakpoint', { breakpointId: breakpoint.breakpointId });
    ArraySplice(this.list, ArrayIndexOf(this.list, breakpoint), 1);
  }

  show() {
    if (this.list.length === 0) {
      this.#view.print('No breakpoints yet');
      return;
    }
    const lines = ArrayMap(this.list, ({ location }, index) => {
      if (!location) return `#${index} <unknown location>`;
      const url = this.#view.scripts[location.scriptId]?.url ?? location.scriptUrl;
      return `#${index} ${nameOf(url)}:${location.lineNumber + 1}`;
    });
    this.#view.print(ArrayJoin(lines, '\n'));
  }

  /** Sets all known breakpoints again, in a program that has just been started. */
  async restore() {
    const before = ArrayFilter(ArraySplice(this.list, 0, this.list.length), ({ location }) => location?.scriptUrl !== undefined);
    if (before.length === 0) return;
    await PromiseAll(ArrayMap(before, ({ location }) => this.set(location.scriptUrl, location.lineNumber + 1)));
    this.#view.print(`${before.length} breakpoints restored.`);
  }
}

module.exports = { Breakpoints };
