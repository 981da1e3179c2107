// @ts-check
'use strict';
// Owns: the Console class of node:console: a console over any pair of streams, with Node's output (util.format and
// util.inspect, two-space groups, Node's tables).

const { isMap } = require('internal/brands');
const runtimeParts = require('internal/parts');
const { AnyGet, AnySet, AnySlice } = require('internal/any_kind');
const {
  ArrayForEach,
  ArrayFrom,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArrayUnshift,
  ErrorCaptureStackTrace,
  FunctionBind,
  MapDelete,
  MapGet,
  MapHas,
  MapKeys,
  MapSet,
  MapValues,
  MathFloor,
  NumberToFixed,
  ObjectAssign,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectHasOwn,
  ObjectKeys,
  ReflectConstruct,
  StringPadStart,
  StringRepeat,
  StringReplaceAll,
  StringSplit,
  WeakMapGet,
  WeakMapHas,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { formatWithOptions } = require('internal/inspect/format');
const { inspect } = require('internal/inspect/inspect');
const { drawColumns } = require('web/console/table');
const { traceCount, traceTimer } = require('web/console/trace');
const { KIND } = require('internal/kinds');
const { ERR_CONSOLE_WRITABLE_STREAM, ERR_INCOMPATIBLE_OPTION_PAIR } = require('internal/errors/errors').codes;
const { validateArray, validateInteger, validateObject, validateOneOf } = require('internal/validators');

const states = new WeakMap(); // Console -> State
const LARGEST_GROUP_INDENTATION = 1000;

/** `clock.now()` returns milliseconds for the timers. */
function createConsoleClass(clock) {
  function Console(options, ...rest) {
    if (!new.target) return ReflectConstruct(Console, arguments);
    // One options object, or the legacy form: stdout, stderr, ignoreErrors.
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
    WeakMapSet(states, this, new State(clock, this, { colorMode, inspectOptions, groupIndentation }));
    const hidden = { enumerable: false, writable: true, configurable: true };
    ObjectDefineProperties(this, {
      _stdout: { __proto__: null, ...hidden, value: stdout },
      _stderr: { __proto__: null, ...hidden, value: stderr },
      _ignoreErrors: { __proto__: null, ...hidden, value: Boolean(ignoreErrors) },
    });
    // Methods are own and bound: `const { log } = new Console(stream)` works, also for methods that a subclass defines.
    for (const name of intact(ObjectKeys(Console.prototype))) {
      this[name] = FunctionBind(this[name], this);
      ObjectDefineProperty(this[name], 'name', { __proto__: null, value: name, configurable: true });
    }
  }
  ObjectAssign(Console.prototype, prototypeMethods);
  ObjectDefineProperty(Console, Symbol.hasInstance, {
    __proto__: null,
    value: (value) => WeakMapHas(states, value) || (value === runtimeParts.console && value !== undefined),
  });
  ObjectDefineProperty(Console.prototype, Symbol.toStringTag, { __proto__: null, value: 'console', configurable: true });
  return Console;
}

class State {
  constructor(clock, console, settings) {
    this.clock = clock;
    this.console = console;
    this.settings = settings;
    this.indentation = '';
    this.counts = new Map();
    this.timers = new Map();
  }

  /** The streams, which a program may replace. */
  get stdout() {
    return this.console._stdout;
  }

  get stderr() {
    return this.console._stderr;
  }

  optionsFor(stream) {
    const { inspectOptions, colorMode } = this.settings;
    const settings = isMap(inspectOptions) ? AnyGet(inspectOptions, stream) : inspectOptions;
    if (settings?.colors !== undefined) return settings;
    const colors =
      colorMode === 'auto'
        ? Boolean(stream.isTTY && (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2))
        : colorMode;
    return { ...settings, colors };
  }

  format(stream, args) {
    return formatWithOptions(this.optionsFor(stream), ...intact(args));
  }

  write(stream, text) {
    if (this.indentation !== '') text = this.indentation + StringReplaceAll(text, '\n', `\n${this.indentation}`);
    if (!this.console._ignoreErrors) return stream.write(`${text}\n`);
    const ignore = () => {};
    // A write that fails later makes the stream emit 'error' once; without a listener that would be uncaught.
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
    this.write(this.stdout, this.format(this.stdout, args));
  }

  err(args) {
    this.write(this.stderr, this.format(this.stderr, args));
  }

  warnAbout(message) {
    runtimeParts.process?.process.emitWarning?.(message);
  }
}

function elapsedText(ms) {
  if (ms < 1000) return `${Number(NumberToFixed(ms, 3))}ms`;
  const two = (value) => StringPadStart(`${value}`, 2, '0');
  const hours = MathFloor(ms / 3600000);
  const minutes = MathFloor((ms % 3600000) / 60000);
  const seconds = (ms % 60000) / 1000;
  if (hours > 0 || minutes > 0) {
    const { 0: whole, 1: part } = StringSplit(NumberToFixed(seconds, 3), '.');
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole)} (h:mm:ss)` : `${minutes}:${two(whole)}.${part} (m:ss.mmm)`;
  }
  return `${Number(NumberToFixed(seconds, 3))}s`;
}

/** Clears the terminal that a stream leads to, if it is one that can be cleared. */
function clearScreen(stream) {
  if (!stream.isTTY || host.env('TERM') === 'dumb') return;
  stream.write('\x1b[1;1H');
  stream.write('\x1b[0J');
}

function timerOf(state, label, method) {
  const start = MapGet(state.timers, label);
  if (start === undefined) state.warnAbout(`No such label '${label}' for console.${method}()`);
  return start;
}

/** Methods that print through other methods call the console's own `log`, `warn` and `error`, which a subclass may override. */
const prototypeMethods = {
  log(...args) {
    runtimeParts.publish?.('console.log', args);
    WeakMapGet(states, this).out(args);
  },
  info(...args) {
    runtimeParts.publish?.('console.info', args);
    WeakMapGet(states, this).out(args);
  },
  debug(...args) {
    runtimeParts.publish?.('console.debug', args);
    WeakMapGet(states, this).out(args);
  },
  warn(...args) {
    runtimeParts.publish?.('console.warn', args);
    WeakMapGet(states, this).err(args);
  },
  error(...args) {
    runtimeParts.publish?.('console.error', args);
    WeakMapGet(states, this).err(args);
  },

  dir(value, options) {
    const state = WeakMapGet(states, this);
    const { stdout } = state;
    state.write(stdout, inspect(value, { customInspect: false, ...state.optionsFor(stdout), ...options }));
  },

  time(label = 'default') {
    label = `${label}`;
    const state = WeakMapGet(states, this);
    if (MapHas(state.timers, label)) state.warnAbout(`Label '${label}' already exists for console.time()`);
    else {
      MapSet(state.timers, label, state.clock.now());
      traceTimer('b', label);
    }
  },

  timeEnd(label = 'default') {
    label = `${label}`;
    const state = WeakMapGet(states, this);
    const start = timerOf(state, label, 'timeEnd');
    if (start === undefined) return;
    MapDelete(state.timers, label);
    traceTimer('e', label);
    this.log('%s: %s', label, elapsedText(state.clock.now() - start));
  },

  timeLog(label = 'default', ...args) {
    label = `${label}`;
    const state = WeakMapGet(states, this);
    const start = timerOf(state, label, 'timeLog');
    if (start === undefined) return;
    this.log('%s: %s', label, elapsedText(state.clock.now() - start), ...intact(args));
    traceTimer('n', label);
  },

  trace(...args) {
    const state = WeakMapGet(states, this);
    const trace = { name: 'Trace', message: state.format(state.stderr, args) };
    ErrorCaptureStackTrace(trace, this.trace);
    this.error(trace.stack);
  },

  assert(condition, ...args) {
    if (condition) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else ArrayUnshift(args, 'Assertion failed');
    this.warn(...intact(args));
  },

  clear() {
    const { stdout } = WeakMapGet(states, this);
    clearScreen(stdout);
  },

  count(label = 'default') {
    label = `${label}`;
    const { counts } = WeakMapGet(states, this);
    const count = (AnyGet(counts, label) ?? 0) + 1;
    AnySet(counts, label, count);
    traceCount(label, count);
    this.log(`${label}: ${count}`);
  },

  countReset(label = 'default') {
    label = `${label}`;
    const state = WeakMapGet(states, this);
    if (MapDelete(state.counts, label)) traceCount(label, 0);
    else state.warnAbout(`Count for '${label}' does not exist`);
  },

  group(...args) {
    if (args.length > 0) this.log(...intact(args));
    const state = WeakMapGet(states, this);
    state.indentation += StringRepeat(' ', state.settings.groupIndentation);
  },

  groupEnd() {
    const state = WeakMapGet(states, this);
    state.indentation = AnySlice(state.indentation, 0, state.indentation.length - state.settings.groupIndentation);
  },

  table(data, properties) {
    if (typeof data !== 'object' || data === null) return this.log(data);
    if (properties !== undefined) validateArray(properties, 'properties');
    const state = WeakMapGet(states, this);
    this.log(nodeTable(data, properties, state.optionsFor(state.stdout)));
  },
};
prototypeMethods.dirxml = prototypeMethods.log;
prototypeMethods.groupCollapsed = prototypeMethods.group;

function nodeTable(data, properties, options) {
  const print = (value) => {
    const depth = value !== null && typeof value === 'object' && !ArrayIsArray(value) && ObjectKeys(value).length > 2 ? -1 : 0;
    return inspect(value, { ...options, maxArrayLength: 3, breakLength: Infinity, depth });
  };
  const kind = host.inspect.kindOf(data);
  if (kind === KIND.MAP || kind === KIND.MAP_ITERATOR) {
    const entries = kind === KIND.MAP ? [...intact(data)] : iteratorPairs(data);
    if (entries !== undefined) {
      return drawColumns(
        ['(iteration index)', 'Key', 'Values'],
        [
          ArrayMap(entries, (_, i) => `${i}`),
          ArrayMap(entries, ({ 0: key }) => print(key)),
          ArrayMap(entries, ({ 1: value }) => print(value)),
        ],
      );
    }
  }
  if (kind === KIND.SET || kind === KIND.SET_ITERATOR || kind === KIND.MAP_ITERATOR) {
    const values = kind === KIND.SET ? [...intact(data)] : host.inspect.previewEntries(data)[0];
    return drawColumns(['(iteration index)', 'Values'], [ArrayMap(values, (_, i) => `${i}`), ArrayMap(values, print)]);
  }
  return objectTable(data, properties, print);
}

function iteratorPairs(iterator) {
  const { 0: entries, 1: isKeyValue } = host.inspect.previewEntries(iterator);
  if (!isKeyValue) return undefined;
  return ArrayFrom({ length: entries.length / 2 }, (_, i) => [entries[2 * i], entries[2 * i + 1]]);
}

function objectTable(data, properties, print) {
  const columns = new Map();
  const values = [];
  let hasValues = false;
  const indices = ObjectKeys(data);
  ArrayForEach(indices, (index, i) => {
    const row = data[index];
    const isPrimitive = row === null || (typeof row !== 'function' && typeof row !== 'object');
    if (isPrimitive && properties === undefined) {
      hasValues = true;
      values[i] = print(row);
      return;
    }
    for (const key of intact(properties ?? ObjectKeys(row))) {
      if (!MapHas(columns, key)) MapSet(columns, key, []);
      if (!isPrimitive && ObjectHasOwn(row, key)) MapGet(columns, key)[i] = print(row[key]);
    }
  });
  const filled = ArrayMap([...intact(MapValues(columns))], (column) =>
    ArrayFrom({ length: indices.length }, (_, i) => column[i] ?? ''),
  );
  const head = ['(index)', ...intact(MapKeys(columns))];
  const body = [indices, ...intact(filled)];
  if (hasValues) {
    ArrayPush(head, 'Values');
    ArrayPush(
      body,
      ArrayFrom({ length: indices.length }, (_, i) => values[i] ?? ''),
    );
  }
  return drawColumns(head, body);
}

module.exports = { clearScreen, createConsoleClass, elapsedText };
