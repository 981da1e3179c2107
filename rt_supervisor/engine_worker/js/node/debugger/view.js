'use strict';
// Owns: the display of a program: where it is paused, its call stack, scripts and watched expressions. It follows the
// program's events.

const { ArrayFilter, ArrayIndexOf, ArrayJoin, ArrayMap, ArrayPush, ArraySplice, ObjectAssign, ObjectValues, StringIncludes, StringReplaceAll } = require('internal/primordials'); // prettier-ignore
const { PromiseAll } = require('internal/promises');
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { inspect } = require('internal/inspect/inspect');
const { validateNumber, validateString } = require('internal/validators');
const { Breakpoints } = require('node/debugger/breakpoints');
const { AROUND, Excerpt, isOfRuntime, nameOf, formatNumber } = require('node/debugger/sources');
const { RemoteObject } = require('node/debugger/values');

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const START = 'Break on start';

class View {
  breakpoints = new Breakpoints(this);
  watched = [];
  pausesOn = 'none'; // which exceptions
  scripts = {};
  frames = null; // while paused
  #around = 2; // context lines at a pause
  #debugged;
  #shown = Promise.resolve(); // the display of the last pause

  constructor(debugged) {
    this.#debugged = debugged;
    this.client = debugged.client;
    this.client.on('close', () => this.forget());
    this.client.on('Debugger.paused', (event) => this.#handlePause(event));
    this.client.on('Debugger.resumed', () => this.leave());
    this.client.on('Debugger.breakpointResolved', (event) => this.breakpoints.handleResolved(event));
    this.client.on('Debugger.scriptParsed', (script) => {
      if (script.url) this.scripts[script.scriptId] = script;
    });
  }

  print(value) {
    const text = typeof value === 'string' ? value : this.inspected(value);
    this.#debugged.print(`${text}\n`);
  }

  inspected(value) {
    return inspect(value, { colors: Boolean(runtimeParts.process.process.stdout.isTTY) });
  }

  /** The program has ended, or another is about to start. */
  forget() {
    this.scripts = {};
    this.leave();
  }

  /** The program continues. */
  leave() {
    this.frames = null;
  }

  get place() {
    this.#needPause();
    return this.frames[0].location;
  }

  #needPause() {
    if (this.frames === null) throw new codes.ERR_DEBUGGER_ERROR('Requires execution to be paused');
  }

  // --- a pause

  #handlePause({ callFrames, reason }) {
    if (runtimeParts.process.process.env.NODE_INSPECT_RESUME_ON_START === '1' && reason === START) {
      this.client.call('Debugger.resume');
      return;
    }
    this.frames = ObjectAssign(callFrames, {
      [kCustom]: () =>
        ArrayJoin(
          ArrayMap(callFrames, (frame, index) => `#${index} ${this.#frameText(frame)}`),
          '\n',
        ),
    });
    const { place } = this; // of this pause: another may follow before the program has answered
    const url = this.scripts[place.scriptId]?.url;
    this.#shown = this.#debugged.whileShowing(async () => {
      const { 0: watchers, 1: lines } = await PromiseAll([this.#watchersText(), this.excerpt(place, this.#around)]);
      const head = `${reason === 'other' ? 'break' : reason} in ${url ? nameOf(url) : '[unknown]'}:${place.lineNumber + 1}`;
      this.print(`${head}\n${watchers === '' ? '' : `Watchers:\n${watchers}\n\n`}${this.inspected(lines)}`);
    });
  }

  /** Resolves when the last pause has been displayed. */
  get shown() {
    return this.#shown;
  }

  #frameText({ functionName, location: { scriptId, lineNumber, columnNumber } }) {
    const url = this.scripts[scriptId]?.url;
    return `${functionName || '(anonymous)'} ${url ? nameOf(url) : '<unknown>'}:${lineNumber + 1}:${columnNumber}`;
  }

  // --- sources

  async excerpt(place, around = AROUND) {
    const { scriptSource } = await this.client.call('Debugger.getScriptSource', { scriptId: place.scriptId });
    return new Excerpt(scriptSource, place, around, this.breakpoints.list);
  }

  list(around = AROUND) {
    return this.excerpt(this.place, around);
  }

  setAround(around = 2) {
    this.#needPause();
    validateNumber(around, 'delta', 1);
    this.#around = around;
    this.print(`The contextLine has been changed to ${around}.`);
  }

  scriptsText(hasAll = false) {
    const current = this.frames?.[0].location.scriptId;
    const scripts = ArrayFilter(
      ObjectValues(this.scripts),
      ({ scriptId, url }) => hasAll || !isOfRuntime(url) || scriptId === current,
    );
    const lines = ArrayMap(scripts, ({ scriptId, url }) => {
      return `${scriptId === current ? '*' : ' '} ${scriptId}: ${nameOf(url)}${isOfRuntime(url) ? ' <native>' : ''}`;
    });
    return ArrayJoin(lines, '\n');
  }

  // --- values

  /** V8's response to an expression, evaluated in the paused call frame if there is one. */
  evaluate(expression, options) {
    const request = { expression, objectGroup: 'node-inspect', generatePreview: true, ...options };
    if (this.frames === null) return this.client.call('Runtime.evaluate', request);
    return this.client.call('Debugger.evaluateOnCallFrame', { callFrameId: this.frames[0].callFrameId, ...request });
  }

  /** The printed value of an expression; `.scope` lists the names in scope. */
  async valueOf(expression) {
    if (expression === '.scope') return this.#scopes();
    const { result } = await this.evaluate(expression);
    return new RemoteObject(result);
  }

  /** The names in each scope of the paused call frame, except the global scope. */
  #scopes() {
    this.#needPause();
    const inner = ArrayFilter(this.frames[0].scopeChain, ({ type }) => type !== 'global');
    const namesOf = async ({ object: { objectId } }) => {
      const { result } = await this.client.call('Runtime.getProperties', { objectId, generatePreview: true });
      return ArrayMap(result, ({ name }) => name);
    };
    return PromiseAll(ArrayMap(inner, namesOf));
  }

  // --- watched expressions

  watch(expression) {
    validateString(expression, 'expression');
    ArrayPush(this.watched, expression);
  }

  /** Removes a watched expression, by its text or its number. */
  unwatch(expression) {
    const index = ArrayIndexOf(this.watched, expression);
    ArraySplice(this.watched, index === -1 ? Number(expression) : index, 1);
  }

  async showWatched() {
    this.print(await this.#watchersText());
  }

  async #watchersText() {
    const last = this.watched.length - 1;
    const lines = await PromiseAll(
      ArrayMap(this.watched, async (expression, index) => {
        let value;
        try {
          value = await this.valueOf(expression);
        } catch (error) {
          value = `<${error.message}>`;
        }
        const text = this.inspected(value);
        const head = `${formatNumber(index, ' ', last)}: ${expression} =`;
        return StringIncludes(text, '\n') ? `${head}\n    ${StringReplaceAll(text, '\n', '\n    ')}` : `${head} ${text}`;
      }),
    );
    return ArrayJoin(lines, '\n');
  }
}

module.exports = { View };
