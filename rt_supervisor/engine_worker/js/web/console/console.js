// @ts-check
'use strict';
// Owns: the global console. Output goes to two injected sinks, one write for each call; depth, colours and the clock are
// injected as well, so that this file is independent of the process. The Console class (Node's) is in web/console/class.js.

const { defineLazily } = require('internal/lazy');
const {
  ArrayMap,
  ErrorCaptureStackTrace,
  MapDelete,
  MapGet,
  MapHas,
  MapSet,
  NumberToFixed,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectKeys,
  RegExpReplace,
  StringIndexOf,
  StringReplaceAll,
  StringSlice,
  intact,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { formatArguments } = require('internal/inspect/rt_format');
const { traceCount, traceTimer } = require('web/console/trace');
const { UNLIMITED_DEPTH } = require('internal/inspect/rt');

const SECONDS_FROM_MS = 1500;

/** Formats frames for console.trace: indented by six, without receivers, top-level code as <anonymous>. */
function framesText(frames) {
  let text = RegExpReplace(
    /^ {4}at (?!.*\()(async )?(.*)$/gm,
    frames,
    (_, isAsync, place) => `    at ${isAsync ?? ''}<anonymous> (${place})`,
  );
  text = RegExpReplace(/^ {4}at Object\.<anonymous> /gm, text, '    at <anonymous> ');
  return StringReplaceAll(text, '    at ', '      at ');
}

/** The extras binding object that V8 provides for embedders. */
const extras = () => /** @type {any} */ (host.native.extras);

/** Creates an object that a debugger uses to link asynchronous steps; V8's own while a debugger listens. */
function createTask(name) {
  const { createTask: ofDebugger } = extras().console;
  if (ofDebugger !== undefined) return ofDebugger(name);
  if (typeof name !== 'string' || name === '') throw new Error('First argument must be a non-empty string.');
  return {
    run() {
      const { 0: step } = arguments;
      if (typeof step !== 'function') throw new Error('First argument must be a function.');
      return step();
    },
  };
}

/**
 * output: { writeOut(text), writeErr(text): the sinks; depth: number (0 means no limit); colorsOut, colorsErr: booleans;
 * lines(): an async iterator of the lines of standard input; now(): milliseconds on a monotonic clock; clear?(): clears the
 * terminal; }. It is read at each call, so that it can be filled in after the snapshot is deserialized.
 */
function createConsole(output) {
  let indent = 0;
  const counts = new Map();
  const timers = new Map();

  const settings = (colors, depth) => ({ depth: depth ?? (output.depth === 0 ? UNLIMITED_DEPTH : output.depth), colors, indent });

  const format = (args, colors) => (args.length === 0 ? '' : formatArguments(args, settings(colors)));
  const writeOut = (args) => output.writeOut(`${format(args, output.colorsOut)}\n`);
  const writeErr = (args) => output.writeErr(`${format(args, output.colorsErr)}\n`);

  function writeError(args) {
    const text = format(args, output.colorsErr);
    output.writeErr(output.colorsErr && args.length > 0 ? `\x1b[0m\x1b[31m${text}\x1b[0m\n` : `${text}\n`);
  }

  function elapsedText(label, start) {
    const elapsed = output.now() - start;
    const text = elapsed <= SECONDS_FROM_MS ? `${NumberToFixed(elapsed, 2)}ms` : `${NumberToFixed(elapsed / 1000, 2)}s`;
    return output.colorsErr ? `\x1b[0m\x1b[2m[\x1b[1m${text}\x1b[0m\x1b[2m]\x1b[0m ${label}` : `[${text}] ${label}`;
  }

  const labelOf = (label) => (label === undefined ? 'default' : `${label}`);

  const methods = {
    debug(...args) {
      runtimeParts.publish?.('console.debug', args);
      writeOut(args);
    },
    error(...args) {
      runtimeParts.publish?.('console.error', args);
      writeError(args);
    },
    log(...args) {
      runtimeParts.publish?.('console.log', args);
      writeOut(args);
    },
    info(...args) {
      runtimeParts.publish?.('console.info', args);
      writeOut(args);
    },
    warn(...args) {
      runtimeParts.publish?.('console.warn', args);
      require('internal/errors/report').asWarning(() => writeErr(args));
    },
    clear() {
      output.clear?.();
    },

    /** @param {any} [value] @param {any} [options] */
    dir(value = undefined, options = undefined) {
      if (arguments.length === 0) return;
      const colors = typeof options?.colors === 'boolean' ? options.colors : output.colorsOut;
      let depth;
      if (options?.depth === null || options?.depth === Infinity) depth = UNLIMITED_DEPTH;
      else if (typeof options?.depth === 'number') depth = options.depth;
      output.writeOut(`${formatArguments([value], settings(colors, depth))}\n`);
    },

    dirxml(...args) {
      if (args.length > 0) writeOut(args);
    },

    table(data = undefined, properties = undefined) {
      if (arguments.length === 0) return;
      if (properties !== undefined) require('internal/validators').validateArray(properties, 'properties');
      const { formatTable, isObject } = require('web/console/table');
      if (!isObject(data)) return writeOut([data]);
      output.writeOut(
        formatTable(data, properties == null ? undefined : ArrayMap(properties, (name) => `${name}`), output.colorsOut),
      );
    },

    trace(...args) {
      const holder = {};
      ErrorCaptureStackTrace(holder, methods.trace);
      const stack = `${holder.stack}`;
      const start = StringIndexOf(stack, '\n    at ');
      const frames = start === -1 ? '' : `${framesText(StringSlice(stack, start + 1))}\n`;
      const head = args.length === 0 ? '' : `${formatArguments(args, settings(output.colorsOut))}\n`;
      output.writeOut(head + frames);
    },

    assert(condition = undefined, ...args) {
      if (condition) return;
      if (args.length === 0) writeError(['Assertion failed']);
      else writeError(args);
    },

    count(label = undefined) {
      const name = labelOf(label);
      const count = (MapGet(counts, name) ?? 0) + 1;
      MapSet(counts, name, count);
      traceCount(name, count);
      output.writeOut(`${name}: ${count}\n`);
    },

    countReset(label = undefined) {
      const name = labelOf(label);
      if (MapDelete(counts, name)) traceCount(name, 0);
    },

    profile() {},
    profileEnd() {},

    time(label = undefined) {
      const name = labelOf(label);
      if (MapHas(timers, name)) return;
      MapSet(timers, name, output.now());
      traceTimer('b', name);
    },

    timeLog(label = undefined, ...args) {
      const name = labelOf(label);
      const start = MapGet(timers, name);
      if (start === undefined) return;
      traceTimer('n', name);
      let rest = '';
      // Formatted separately, because none of them is a format string for the others.
      for (const value of intact(args)) rest += ` ${formatArguments([value], { ...settings(output.colorsErr), indent: 0 })}`;
      output.writeErr(`${elapsedText(name, start)}${rest}\n`);
    },

    timeEnd(label = undefined) {
      const name = labelOf(label);
      const start = MapGet(timers, name);
      if (start === undefined) return;
      MapDelete(timers, name);
      traceTimer('e', name);
      output.writeErr(`${elapsedText(name, start)}\n`);
    },

    timeStamp() {},
    // These are V8's: their arguments are for debugger front ends.
    context(name) {
      return extras().console.context(name);
    },
    createTask() {
      return createTask(arguments[0]);
    },
    takeHeapSnapshot() {},

    group(...args) {
      if (args.length > 0) writeOut(args);
      indent++;
    },

    groupCollapsed(...args) {
      if (args.length > 0) writeOut(args); // Bun prints the title and does not indent
    },

    groupEnd() {
      if (indent > 0) indent--;
    },

    record() {},
    recordEnd() {},
    screenshot() {},

    /** Writes strings and bytes unchanged. Returns the number of bytes written. */
    write(...chunks) {
      let written = 0;
      for (const chunk of intact(chunks)) {
        const text = typeof chunk === 'string' ? chunk : new (require('web/encoding/text').TextDecoder)().decode(chunk);
        written += require('internal/utf8').byteLength(text);
        output.writeOut(text);
      }
      return written;
    },
  };

  const console = ObjectCreate({});
  for (const name of intact(ObjectKeys(methods))) {
    ObjectDefineProperty(console, name, {
      __proto__: null,
      value: methods[name],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  ObjectDefineProperty(console, Symbol.toStringTag, { __proto__: null, value: 'console', configurable: true });
  const iterator = {
    [Symbol.asyncIterator]() {
      return output.lines();
    },
  }[Symbol.asyncIterator];
  ObjectDefineProperty(console, Symbol.asyncIterator, { __proto__: null, value: iterator, writable: true, configurable: true });
  defineLazily(console, 'Console', () => require('web/console/class').createConsoleClass(output));
  return console;
}

module.exports = { createConsole };
