'use strict';
// Owns: the debugger's prompt: a REPL whose globals are the debugger's commands. Its `repl` command evaluates in the program
// instead.

const { AnyThen } = require('internal/any_kind');
const {
  ArrayForEach,
  JSONStringify,
  ObjectDefineProperty,
  ObjectKeys,
  RegExpExec,
  StringSlice,
  StringStartsWith,
  StringTrim,
  RegExpTest,
} = require('internal/primordials');
const { EventEmitter } = require('node/events/events');
const vm = require('node/vm/vm');
const { HELP } = require('node/debugger/help');

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const DOMAINS = ['Debugger', 'HeapProfiler', 'Profiler', 'Runtime'];
const SHORT = { __proto__: null, cont: 'c', next: 'n', step: 's', out: 'o', backtrace: 'bt', setBreakpoint: 'sb', clearBreakpoint: 'cb', run: 'r', exec: 'p' }; // prettier-ignore

/** A protocol domain as an object whose methods are its commands; it emits the domain's events. */
function agentOf(domain, client) {
  const agent = new EventEmitter();
  client.on('event', (name, params) => {
    if (StringStartsWith(name, `${domain}.`)) agent.emit(StringSlice(name, domain.length + 1), params);
  });
  agent[kCustom] = (depth, { stylize }) => stylize(`[Agent ${domain}]`, 'special');
  return new Proxy(agent, {
    __proto__: null,
    get(target, name) {
      if (typeof name === 'symbol' || name === 'then' || name in target) return target[name];
      return (params) => client.call(`${domain}.${name}`, params);
    },
  });
}

/**
 * Converts a line to JavaScript: `exec x` and `p x` without parentheses, a lone object literal, and an empty line to the
 * previous one.
 */
class Lines {
  #last = '';

  textOf(line) {
    if (line === '\n') return this.#last;
    const match = RegExpExec(/^\s*(?:exec|p)\s+([^\n]*)/, line);
    let text = match === null ? line : match[1];
    if (RegExpTest(/^\s*\{/, text) && !RegExpTest(/;\s*$/, text)) text = `(${StringTrim(text)})\n`;
    this.#last = match === null ? text : `exec(${JSONStringify(text)})`;
    return this.#last;
  }
}

/** Starts the prompt for the program `debugged`, its display `view`, and its `recordings`. */
function startPrompt(debugged, view, recordings) {
  const { client } = debugged;
  const lines = new Lines();
  let leave; // ends evaluation in the program

  function evaluate(line, context, filename, done) {
    const settle = (result) =>
      AnyThen(
        result,
        (value) => done(null, value),
        (error) => done(error),
      );
    if (leave !== undefined) {
      settle(view.valueOf(line));
      return;
    }
    let result;
    try {
      result = vm.runInContext(lines.textOf(line), context, { filename, displayErrors: false });
    } catch (error) {
      done(error);
      return;
    }
    if (typeof result?.then === 'function') settle(result);
    else done(null, result);
  }

  const repl = require('node/repl/repl').start({
    prompt: 'debug> ',
    input: debugged.input,
    output: debugged.output,
    eval: evaluate,
    useGlobal: false,
    ignoreUndefined: true,
  });

  function enterProgram() {
    const listeners = repl.listeners('SIGINT');
    repl.removeAllListeners('SIGINT');
    leave = () => {
      leave = undefined;
      repl.removeAllListeners('SIGINT');
      ArrayForEach(listeners, (listener) => repl.on('SIGINT', listener));
      repl.setPrompt('debug> ');
      repl.displayPrompt();
    };
    repl.on('SIGINT', () => leave());
    repl.setPrompt('> ');
    view.print('Press Ctrl+C to leave debug repl');
    repl.displayPrompt();
  }
  client.on('close', () => leave?.());

  const go = (method) => () => {
    view.leave();
    return client.call(`Debugger.${method}`);
  };
  const pauseOn = async (state) => {
    await client.call('Debugger.setPauseOnExceptions', { state });
    view.pausesOn = state;
  };
  const scripts = (hasAll) => view.print(view.scriptsText(hasAll));
  scripts[kCustom] = () => view.scriptsText();
  // Names that act when evaluated, and functions.
  const acting = {
    help: () => view.print(HELP),
    run: () => debugged.begin(view),
    restart: () => debugged.begin(view),
    kill: () => debugged.end(),
    cont: go('resume'),
    next: go('stepOver'),
    step: go('stepInto'),
    out: go('stepOut'),
    pause: () => client.call('Debugger.pause'),
    backtrace: () => view.frames,
    breakpoints: () => view.breakpoints.show(),
    profile: () => recordings.begin(),
    profileEnd: () => recordings.end(),
    profiles: () => recordings.profiles,
    watchers: () => view.showWatched(),
    repl: enterProgram,
    version: async () => {
      const { result } = await client.call('Runtime.evaluate', { expression: 'process.versions.v8', returnByValue: true });
      view.print(result.value);
    },
    breakOnException: () => pauseOn('all'),
    breakOnUncaught: () => pauseOn('uncaught'),
    breakOnNone: () => pauseOn('none'),
  };
  const functions = {
    exec: (expression) => view.valueOf(expression),
    takeHeapSnapshot: (filename) => recordings.takeHeapSnapshot(filename),
    watch: (expression) => view.watch(expression),
    unwatch: (expression) => view.unwatch(expression),
    scripts,
    setBreakpoint: (script, line, condition) => view.breakpoints.set(script, line, condition),
    clearBreakpoint: (script, line) => view.breakpoints.clear(script, line),
    setPauseOnExceptions: pauseOn,
    list: (around) => view.list(around),
    setContextLineNumber: (around) => view.setAround(around),
  };

  function fill(context) {
    const define = (name, descriptor) => {
      const whole = { __proto__: null, configurable: true, enumerable: true, ...descriptor };
      ObjectDefineProperty(context, name, whole);
      if (SHORT[name] !== undefined) ObjectDefineProperty(context, SHORT[name], whole);
    };
    ArrayForEach(DOMAINS, (domain) => define(domain, { value: agentOf(domain, client) }));
    ArrayForEach(ObjectKeys(acting), (name) => define(name, { get: acting[name] }));
    ArrayForEach(ObjectKeys(functions), (name) => define(name, { value: functions[name], writable: true }));
  }
  fill(repl.context);
  repl.on('reset', fill);
  repl.defineCommand('interrupt', () => repl.emit('SIGINT'));
  return repl;
}

module.exports = { startPrompt };
