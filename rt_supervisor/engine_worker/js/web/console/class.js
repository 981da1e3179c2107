'use strict';
// Owns: the Console class of node:console: a console over any pair of streams, printing as Node does (util.format and
// util.inspect, two-space groups, Node's tables).

const { intact } = require('internal/primordials');
const { formatWithOptions } = require('internal/inspect/format');
const { inspect } = require('internal/inspect/inspect');
const { drawColumns } = require('web/console/table');
const { KIND } = require('internal/kinds');
const { ERR_CONSOLE_WRITABLE_STREAM, ERR_INCOMPATIBLE_OPTION_PAIR } = require('internal/errors/errors').codes;
const { validateArray, validateInteger, validateObject, validateOneOf } = require('internal/validators');

const states = new WeakMap(); // Console -> State
const LARGEST_GROUP_INDENTATION = 1000;

/** `clock.now()` gives milliseconds for the timers. */
function createConsoleClass(clock) {
  function Console(options, ...rest) {
    if (!new.target) return Reflect.construct(Console, arguments);
    // Streams and options as one object, or as of old: stdout, stderr, ignoreErrors.
    if (!options || typeof options.write === 'function') options = { stdout: options, stderr: rest[0], ignoreErrors: rest[1] };
    const { stdout, stderr = stdout, ignoreErrors = true, colorMode = 'auto', inspectOptions, groupIndentation = 2 } = options;
    if (!stdout || typeof stdout.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stdout');
    if (!stderr || typeof stderr.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stderr');
    validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
    validateInteger(groupIndentation, 'groupIndentation', 0, LARGEST_GROUP_INDENTATION);
    if (inspectOptions !== undefined) {
      validateObject(inspectOptions, 'options.inspectOptions');
      if (inspectOptions.colors !== undefined && options.colorMode !== undefined) {
        throw new ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
      }
    }
    states.set(this, new State(clock, { stdout, stderr, ignoreErrors, colorMode, inspectOptions, groupIndentation }));
    const hidden = { __proto__: null, enumerable: false, writable: true, configurable: true };
    Object.defineProperties(this, {
      _stdout: { __proto__: null, ...hidden, value: stdout },
      _stderr: { __proto__: null, ...hidden, value: stderr },
      _ignoreErrors: { __proto__: null, ...hidden, value: Boolean(ignoreErrors) },
    });
    // Methods are own and bound: `const { log } = new Console(stream)` works, also where a subclass has its own.
    for (const name of intact(Object.keys(Console.prototype))) {
      this[name] = this[name].bind(this);
      Object.defineProperty(this[name], 'name', { __proto__: null, value: name, configurable: true });
    }
  }
  Object.assign(Console.prototype, prototypeMethods);
  Object.defineProperty(Console, Symbol.hasInstance, {
    __proto__: null,
    value: (value) => states.has(value) || (value === globalThis.console && value !== undefined),
  });
  Object.defineProperty(Console.prototype, Symbol.toStringTag, { __proto__: null, value: 'console', configurable: true });
  return Console;
}

class State {
  constructor(clock, settings) {
    this.clock = clock;
    this.settings = settings;
    this.indentation = '';
    this.counts = new Map();
    this.timers = new Map();
  }

  optionsFor(stream) {
    const { inspectOptions, colorMode } = this.settings;
    const chosen = inspectOptions instanceof Map ? inspectOptions.get(stream) : inspectOptions;
    if (chosen?.colors !== undefined) return chosen;
    const colors =
      colorMode === 'auto'
        ? Boolean(stream.isTTY && (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2))
        : colorMode;
    return { ...chosen, colors };
  }

  format(stream, args) {
    return formatWithOptions(this.optionsFor(stream), ...intact(args));
  }

  write(stream, text) {
    if (this.indentation !== '') text = this.indentation + text.replaceAll('\n', `\n${this.indentation}`);
    if (!this.settings.ignoreErrors) return stream.write(`${text}\n`);
    const ignore = () => {};
    // An error that comes later is an event of the stream, once; it is nobody's unless somebody listens.
    const onWritten = (error) => {
      if (error && !stream._writableState?.errorEmitted && stream.listenerCount?.('error') === 0) stream.once('error', ignore);
    };
    try {
      stream.once?.('error', ignore);
      stream.write(`${text}\n`, onWritten);
    } catch (error) {
      if (error instanceof RangeError && error.message === 'Maximum call stack size exceeded') throw error;
    } finally {
      stream.removeListener?.('error', ignore);
    }
  }

  out(args) {
    this.write(this.settings.stdout, this.format(this.settings.stdout, args));
  }

  err(args) {
    this.write(this.settings.stderr, this.format(this.settings.stderr, args));
  }

  warnAbout(message) {
    globalThis.process?.emitWarning?.(message);
  }
}

function elapsedText(ms) {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  const two = (value) => `${value}`.padStart(2, '0');
  const hours = Math.floor(ms / 3600000);
  const minutes = Math.floor((ms % 3600000) / 60000);
  const seconds = (ms % 60000) / 1000;
  if (hours > 0 || minutes > 0) {
    const { 0: whole, 1: part } = seconds.toFixed(3).split('.');
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole)} (h:mm:ss)` : `${minutes}:${two(whole)}.${part} (m:ss.mmm)`;
  }
  return `${Number(seconds.toFixed(3))}s`;
}

function timerOf(state, label, method) {
  const start = state.timers.get(label);
  if (start === undefined) state.warnAbout(`No such label '${label}' for console.${method}()`);
  return start;
}

/** What several methods end in is said by the console's own `log`, `warn` and `error`, which may be a subclass's. */
const prototypeMethods = {
  log(...args) {
    states.get(this).out(args);
  },
  warn(...args) {
    states.get(this).err(args);
  },

  dir(value, options) {
    const state = states.get(this);
    const { stdout } = state.settings;
    state.write(stdout, inspect(value, { customInspect: false, ...state.optionsFor(stdout), ...options }));
  },

  time(label = 'default') {
    label = `${label}`;
    const state = states.get(this);
    if (state.timers.has(label)) state.warnAbout(`Label '${label}' already exists for console.time()`);
    else state.timers.set(label, state.clock.now());
  },

  timeEnd(label = 'default') {
    label = `${label}`;
    const state = states.get(this);
    const start = timerOf(state, label, 'timeEnd');
    if (start === undefined) return;
    state.timers.delete(label);
    this.log('%s: %s', label, elapsedText(state.clock.now() - start));
  },

  timeLog(label = 'default', ...args) {
    label = `${label}`;
    const state = states.get(this);
    const start = timerOf(state, label, 'timeLog');
    if (start !== undefined) this.log('%s: %s', label, elapsedText(state.clock.now() - start), ...intact(args));
  },

  trace(...args) {
    const state = states.get(this);
    const trace = { name: 'Trace', message: state.format(state.settings.stderr, args) };
    Error.captureStackTrace(trace, this.trace);
    this.error(trace.stack);
  },

  assert(condition, ...args) {
    if (condition) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else args.unshift('Assertion failed');
    this.warn(...intact(args));
  },

  clear() {
    const { stdout } = states.get(this).settings;
    if (stdout.isTTY) stdout.write('\x1b[1;1H\x1b[0J');
  },

  count(label = 'default') {
    label = `${label}`;
    const { counts } = states.get(this);
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    this.log(`${label}: ${count}`);
  },

  countReset(label = 'default') {
    label = `${label}`;
    const state = states.get(this);
    if (!state.counts.delete(label)) state.warnAbout(`Count for '${label}' does not exist`);
  },

  group(...args) {
    if (args.length > 0) this.log(...intact(args));
    const state = states.get(this);
    state.indentation += ' '.repeat(state.settings.groupIndentation);
  },

  groupEnd() {
    const state = states.get(this);
    state.indentation = state.indentation.slice(0, state.indentation.length - state.settings.groupIndentation);
  },

  table(data, properties) {
    if (typeof data !== 'object' || data === null) return this.log(data);
    if (properties !== undefined) validateArray(properties, 'properties');
    const state = states.get(this);
    this.log(nodeTable(data, properties, state.optionsFor(state.settings.stdout)));
  },
};
for (const name of intact(['debug', 'info', 'dirxml'])) prototypeMethods[name] = prototypeMethods.log;
prototypeMethods.error = prototypeMethods.warn;
prototypeMethods.groupCollapsed = prototypeMethods.group;

function nodeTable(data, properties, options) {
  const print = (value) => {
    const depth = value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0;
    return inspect(value, { ...options, maxArrayLength: 3, breakLength: Infinity, depth });
  };
  const kind = host.inspect.kindOf(data);
  if (kind === KIND.MAP || kind === KIND.MAP_ITERATOR) {
    const entries = kind === KIND.MAP ? [...intact(data)] : iteratorPairs(data);
    if (entries !== undefined) {
      return drawColumns(
        ['(iteration index)', 'Key', 'Values'],
        [entries.map((_, i) => `${i}`), entries.map(({ 0: key }) => print(key)), entries.map(({ 1: value }) => print(value))],
      );
    }
  }
  if (kind === KIND.SET || kind === KIND.SET_ITERATOR || kind === KIND.MAP_ITERATOR) {
    const values = kind === KIND.SET ? [...intact(data)] : host.inspect.previewEntries(data)[0];
    return drawColumns(['(iteration index)', 'Values'], [values.map((_, i) => `${i}`), values.map(print)]);
  }
  return objectTable(data, properties, print);
}

function iteratorPairs(iterator) {
  const { 0: entries, 1: isKeyValue } = host.inspect.previewEntries(iterator);
  if (!isKeyValue) return undefined;
  return Array.from({ length: entries.length / 2 }, (_, i) => [entries[2 * i], entries[2 * i + 1]]);
}

function objectTable(data, properties, print) {
  const columns = new Map();
  const values = [];
  let hasValues = false;
  const indices = Object.keys(data);
  indices.forEach((index, i) => {
    const row = data[index];
    const isPrimitive = row === null || (typeof row !== 'function' && typeof row !== 'object');
    if (isPrimitive) {
      hasValues = true;
      values[i] = print(row);
      return;
    }
    for (const key of intact(properties ?? Object.keys(row))) {
      if (!columns.has(key)) columns.set(key, []);
      if (Object.hasOwn(row, key)) columns.get(key)[i] = print(row[key]);
    }
  });
  const filled = [...intact(columns.values())].map((column) => Array.from({ length: indices.length }, (_, i) => column[i] ?? ''));
  const head = ['(index)', ...intact(columns.keys())];
  const body = [indices, ...intact(filled)];
  if (hasValues) {
    head.push('Values');
    body.push(Array.from({ length: indices.length }, (_, i) => values[i] ?? ''));
  }
  return drawColumns(head, body);
}

module.exports = { createConsoleClass };
