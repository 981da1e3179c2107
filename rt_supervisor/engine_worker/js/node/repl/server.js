'use strict';
// Owns: REPLServer: it reads a line or several, evaluates, prints, and does so again.

const handedDown = require('internal/parts');
const { AnyThen } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const { RegExpSplit } = require('internal/patterns');
const { ArrayFilter, ArrayJoin, ArrayPush, ArraySlice, NumberIsNaN, NumberParseFloat } = require('internal/primordials');
const { ObjectAssign, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor } = require('internal/primordials');
const { ObjectGetOwnPropertyNames, ObjectSetPrototypeOf, ReflectApply, ReflectConstruct } = require('internal/primordials');
const { RegExpExec, RegExpReplace, RegExpTest, SetHas, StringAt, StringEndsWith } = require('internal/primordials');
const { StringSlice, StringTrim, StringTrimEnd, intact } = require('internal/primordials');
const { Interface } = require('node/readline/readline');
const { inspect } = require('internal/inspect/inspect');
const vm = require('node/vm/vm');
const { AS_PROGRAM } = require('node/vm/imports');
const { codes } = require('internal/errors/errors');
const { Recoverable, scriptOf } = require('node/repl/evaluate');
const { defineCommands } = require('node/repl/commands');

const MODES = { __proto__: null, sloppy: Symbol('repl-sloppy'), strict: Symbol('repl-strict') };
const FRAME_OF_REPL = /^\s+at .*(?:REPL\d+:\d+|\(node:|\(rt:|node:internal|<anonymous>:\d+).*\n?/gm;
let last = 0;
const nextName = () => `REPL${++last}`;

function writer(value) {
  return inspect(value, writer.options);
}
writer.options = {
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: true,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 128,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
};

class Server extends Interface {
  #buffered = '';
  #prompt;
  lines = [];

  constructor(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
    let options = {};
    if (prompt !== null && typeof prompt === 'object') {
      options = { ...prompt };
      stream = options.stream || options.socket;
      eval_ = options.eval;
      ({ useGlobal, ignoreUndefined, prompt, replMode } = options);
    }
    if (options.breakEvalOnSigint && eval_) {
      throw ObjectAssign(new TypeError('Cannot specify both "breakEvalOnSigint" and "eval" for REPL'), {
        code: 'ERR_INVALID_REPL_EVAL_CONFIG',
      });
    }
    const { process } = handedDown.process;
    const input = options.input ?? stream ?? process.stdin;
    const output = options.output ?? stream ?? process.stdout;
    const terminal = options.terminal ?? (output.isTTY && !process.env.NODE_NO_READLINE);
    let self;
    super({
      input,
      output,
      terminal,
      completer: options.completer ?? ((text, callback) => self.complete(text, callback)),
      historySize: options.historySize ?? 1000,
      prompt: prompt ?? '> ',
    });
    self = this;
    this.#prompt = prompt ?? '> ';
    this.allowBlockingCompletions = Boolean(options.allowBlockingCompletions);
    this.useColors = options.useColors ?? (terminal && require('node/util/style').hasColors?.(output)) ?? false;
    this.breakEvalOnSigint = Boolean(options.breakEvalOnSigint);
    this.editorMode = false;
    this.underscoreAssigned = false;
    this.last = undefined;
    this.underscoreErrAssigned = false;
    this.lastError = undefined;
    this.useGlobal = Boolean(useGlobal);
    this.ignoreUndefined = Boolean(ignoreUndefined);
    this.replMode = replMode ?? MODES.sloppy;
    this.eval = eval_ ?? ((text, context, file, done) => this.#evaluate(text, context, file, done));
    this.writer = options.writer ?? writer;
    if (options.writer === undefined && this.useColors)
      this.writer = (value) => inspect(value, { ...writer.options, colors: true });
    this.commands = { __proto__: null };
    defineCommands(this);
    this.resetContext();
    this.on('line', (line) => this.#heard(line));
    this.on('close', () => this.emit('exit'));
    this.on('SIGINT', () => this.#interrupted());
    this.displayPrompt();
  }

  // --- reading

  #heard(given) {
    const line = given || '';
    if (this.editorMode) {
      this.#buffered += `${line}\n`;
      return;
    }
    const trimmed = StringTrim(line);
    if (trimmed[0] === '.' && trimmed[1] !== '.' && NumberIsNaN(NumberParseFloat(trimmed))) {
      const [, keyword, rest] = intact(RegExpExec(/^\.([^\s]+)\s*(.*)$/, trimmed) ?? []);
      const command = this.commands[keyword];
      if (command !== undefined) {
        ReflectApply(command.action, this, [rest]);
        return;
      }
      if (this.#buffered === '') {
        this.output.write('Invalid REPL keyword\n');
        this.displayPrompt();
        return;
      }
    }
    if (line === '' && this.#buffered === '') {
      this.displayPrompt();
      return;
    }
    ArrayPush(this.lines, line);
    this.eval(`${this.#buffered}${line}\n`, this.context, nextName(), (error, ...values) => this.#finished(line, error, values));
  }

  #finished(line, error, values) {
    if (error instanceof Recoverable) {
      this.#buffered += `${line}\n`;
      this.displayPrompt();
      return;
    }
    if (error) {
      this._handleError(error.err ?? error);
      return;
    }
    this.clearBufferedCommand();
    if (values.length > 0) this.#print(values[0]);
    if (!this.closed) this.displayPrompt();
  }

  #print(value) {
    if (this.ignoreUndefined && value === undefined) return;
    if (!this.underscoreAssigned) this.last = value;
    this.output.write(`${this.writer(value)}\n`);
  }

  /** What `.load` does with a file: all of it at once. */
  evaluateText(text) {
    ArrayPush(this.lines, text);
    this.eval(text, this.context, nextName(), (error, ...values) => this.#finished('', error, values));
  }

  #interrupted() {
    const isEmpty = this.line === '' && this.#buffered === '' && !this.editorMode;
    this.editorMode = false;
    this.clearBufferedCommand();
    if (isEmpty && this.wasInterrupted) {
      this.close();
      return;
    }
    this.wasInterrupted = isEmpty;
    if (isEmpty) this.output.write('(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
    this.clearLine?.();
    this.displayPrompt();
  }

  // --- evaluating

  #evaluate(text, context, file, done) {
    let made;
    try {
      made = scriptOf(text, file, { isStrict: this.replMode === MODES.strict, script: { importModuleDynamically: AS_PROGRAM } });
    } catch (error) {
      done(error);
      return;
    }
    let result;
    const settings = { displayErrors: false, breakOnSigint: this.breakEvalOnSigint };
    try {
      result = this.useGlobal ? made.script.runInThisContext(settings) : made.script.runInContext(context, settings);
    } catch (error) {
      if (error && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') delete error.stack;
      done(error ?? new Error(`${error}`));
      return;
    }
    if (!made.isAwaiting) {
      done(null, result);
      return;
    }
    AnyThen(
      result,
      (given) => done(null, given?.[0]),
      (error) => done(error),
    );
  }

  /** An error that evaluated code threw, or that came later from it. */
  _handleError(error) {
    if (!this.underscoreErrAssigned) this.lastError = error;
    if (typeof error === 'object' && error !== null && typeof error.stack === 'string' && error.name !== undefined) {
      const { stack } = error;
      const isSyntax = error.name === 'SyntaxError';
      const shown = isSyntax
        ? RegExpReplace(/^\s+at\s.*\n?/gm, RegExpReplace(/^REPL\d+:\d+\r?\n/, stack, ''), '')
        : RegExpReplace(FRAME_OF_REPL, stack, '');
      try {
        ObjectDefineProperty(error, 'stack', {
          __proto__: null,
          value: StringTrimEnd(shown),
          writable: true,
          configurable: true,
        });
      } catch {
        // it is frozen
      }
    }
    let text = this.writer(error);
    if (text[0] === '[' && StringAt(text, -1) === ']' && typeof error === 'object') text = StringSlice(text, 1, -1);
    const rows = RegExpSplit(/(?<=\n)/, text);
    let isMatched = false;
    text = '';
    for (const row of intact(rows)) {
      if (!isMatched && RegExpTest(/^\[?([A-Z][a-z0-9_]*)*Error/, row)) {
        text += `Uncaught ${row}`;
        isMatched = true;
      } else text += row;
    }
    if (!isMatched) text = `Uncaught${rows.length === 1 ? ' ' : ':\n'}${text}`;
    this.output.write(StringEndsWith(text, '\n') ? text : `${text}\n`);
    this.clearBufferedCommand();
    this.displayPrompt();
  }

  // --- the context

  createContext() {
    if (this.useGlobal) return globalThis;
    const context = vm.createContext({});
    const own = setOf(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context));
    for (const name of intact(ObjectGetOwnPropertyNames(globalThis))) {
      if (SetHas(own, name)) continue;
      ObjectDefineProperty(context, name, { __proto__: null, ...ObjectGetOwnPropertyDescriptor(globalThis, name) });
    }
    context.global = context;
    const { Console } = require('node/console');
    ObjectDefineProperty(context, 'console', {
      __proto__: null,
      configurable: true,
      writable: true,
      value: new Console(this.output),
    });
    return context;
  }

  resetContext() {
    this.context = this.createContext();
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.lines = [];
    const { Module, createRequire } = require('node/module/commonjs');
    const { join } = require('node/path/path');
    const define = (name, value) =>
      ObjectDefineProperty(this.context, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    const made = new Module('<repl>');
    made.paths = [...intact(Module._nodeModulePaths(join(host.cwd(), '.')))];
    define('module', made);
    define('exports', made.exports);
    define('require', createRequire(join(host.cwd(), '[repl]')));
    for (const { 0: name, 1: of_, 2: flag, 3: saying } of intact([
      ['_', 'last', 'underscoreAssigned', '_'],
      ['_error', 'lastError', 'underscoreErrAssigned', '_error'],
    ])) {
      ObjectDefineProperty(this.context, name, {
        __proto__: null,
        configurable: true,
        get: () => this[of_],
        set: (value) => {
          this[of_] = value;
          if (this[flag]) return;
          this[flag] = true;
          this.output.write(`Expression assignment to ${saying} now disabled.\n`);
        },
      });
    }
    for (const name of intact(require('node/module/builtins').names())) {
      if (RegExpTest(/^_|\/|:|^(?:rt|sys|punycode)$/, name) || name in this.context) continue;
      ObjectDefineProperty(this.context, name, {
        __proto__: null,
        configurable: true,
        enumerable: false,
        get: () => {
          const value = require('node/module/builtins').load(name);
          define(name, value);
          return value;
        },
        set: (value) => {
          ObjectDefineProperty(this.context, name, {
            __proto__: null,
            value,
            writable: true,
            configurable: true,
            enumerable: true,
          });
        },
      });
    }
    this.emit('reset', this.context);
  }

  // --- what programs may call

  clearBufferedCommand() {
    this.#buffered = '';
  }

  displayPrompt(preserveCursor) {
    super.setPrompt(this.#buffered === '' ? this.#prompt : '| ');
    this.prompt(preserveCursor);
  }

  setPrompt(prompt) {
    if (#prompt in this) this.#prompt = prompt; // else the interface is being made
    super.setPrompt(prompt);
  }

  defineCommand(keyword, cmd) {
    const command = typeof cmd === 'function' ? { action: cmd } : cmd;
    if (typeof command?.action !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('cmd.action', 'Function', command?.action);
    this.commands[keyword] = command;
  }

  complete(line, callback) {
    let found;
    try {
      found = require('node/repl/completion').complete(this, line);
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, found);
  }

  completeOnEditorMode(callback) {
    return (error, results) => {
      if (error) callback(error);
      else callback(null, [results[0].length > 1 ? [] : results[0], results[1]]);
    };
  }

  setupHistory(config, callback) {
    const { filePath, size, onHistoryFileLoaded } = typeof config === 'object' && config !== null ? config : { filePath: config };
    const done = callback ?? onHistoryFileLoaded ?? (() => {});
    const file = filePath ?? require('node/path/path').join(require('node/os').homedir(), '.node_repl_history');
    const most = size ?? 1000;
    const fs = require('node/fs/fs');
    if (file === '') {
      host.nextTick(done, null, this);
      return;
    }
    fs.readFile(file, 'utf8', (error, text) => {
      if (error && error.code !== 'ENOENT') {
        done(error);
        return;
      }
      this.history = ArraySlice(ArrayFilter(RegExpSplit(/[\n\r]+/, text ?? ''), Boolean), 0, most);
      this.on('history', (lines) =>
        fs.writeFile(file, ArrayJoin(ArraySlice(lines, 0, most), '\n'), { mode: 0o600 }, () => this.emit('flushHistory')),
      );
      done(null, this);
    });
  }
}

/** The class, callable without `new`. */
const REPLServer = {
  REPLServer: function (prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
    return ReflectConstruct(Server, [prompt, stream, eval_, useGlobal, ignoreUndefined, replMode], new.target ?? REPLServer);
  },
}.REPLServer;
ObjectSetPrototypeOf(REPLServer, Interface);
REPLServer.prototype = Server.prototype;
Server.prototype.constructor = REPLServer;

module.exports = { REPLServer, writer, MODES, Recoverable };
