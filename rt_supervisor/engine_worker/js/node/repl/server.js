'use strict';
// Owns: REPLServer: reads one or more lines, evaluates them, prints the result, and repeats.

const runtimeParts = require('internal/parts');
const { AnyThen } = require('internal/any_kind');
const { RegExpSplit } = require('internal/patterns');
const {
  ArrayAt,
  ArrayFilter,
  ArrayJoin,
  ArrayPush,
  ArrayShift,
  ArraySlice,
  NumberIsNaN,
  NumberParseFloat,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
  RegExpExec,
  StringTrim,
  intact,
} = require('internal/primordials');
const { Interface } = require('node/readline/readline');
const { inspect } = require('internal/inspect/inspect');
const { AS_PROGRAM } = require('node/vm/imports');
const { codes } = require('internal/errors/errors');
const { Recoverable, scriptOf } = require('node/repl/evaluate');
const { defineCommands } = require('node/repl/commands');
const { deprecate } = require('node/util/promisify');
const { hasPendingDeprecations } = require('internal/given_flags');

const MODES = { __proto__: null, sloppy: Symbol('repl-sloppy'), strict: Symbol('repl-strict') };
const kProgram = Symbol('the REPL is the program');
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
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
};

const hasColors = (stream) => Boolean(stream.isTTY) && (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2);

class Server extends Interface {
  #buffered = '';
  #prompt;
  #isWaiting = false; // for a line that awaits
  #waiting = []; // lines entered meanwhile
  #isEnding = false;
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
    const { process } = runtimeParts.process;
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
    defineOldStreams(this);
    runtimeParts.hasRepl = true;
    this.allowBlockingCompletions = Boolean(options.allowBlockingCompletions);
    this.useColors = Boolean(options.useColors ?? (terminal && hasColors(output)));
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
    if (this.writer === writer) writer.options.colors = this.useColors;
    this.isProgram = options[kProgram] === true;
    this.commands = { __proto__: null };
    defineCommands(this);
    this.resetContext();
    this.on('line', (line) => this.#handleLine(line));
    this.on('close', () => {
      this.#isEnding = true;
      this.#end();
    });
    this.on('SIGINT', () => this.#handleInterrupt());
    this.displayPrompt();
  }

  // --- reading

  #handleLine(input) {
    if (this.#isWaiting) {
      ArrayPush(this.#waiting, input);
      return;
    }
    const line = input || '';
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
    if (line !== '') ArrayPush(this.lines, line);
    this.#ask(`${this.#buffered}${line}\n`, this.context, nextName(), (error, ...values) =>
      this.#finishLine(line, error, values),
    );
  }

  #ask(text, context, file, done) {
    require('node/repl/later_errors').within(this, () => this.eval(text, context, file, done));
  }

  /** Continues with the lines entered while a line awaited. */
  #continue() {
    this.#isWaiting = false;
    while (!this.#isWaiting && this.#waiting.length > 0) this.#handleLine(ArrayShift(this.#waiting));
    if (!this.#isWaiting && this.#isEnding) this.#end();
  }

  #end() {
    this.#isEnding = this.#isWaiting;
    if (this.#isEnding) return;
    this.isOver = true;
    this.emit('exit');
  }

  #finishLine(line, error, values) {
    if (error instanceof Recoverable) {
      this.#buffered += `${line}\n`;
      this.displayPrompt();
      return;
    }
    if (error) {
      this._handleError('err' in Object(error) ? error.err : error);
      return;
    }
    this.clearBufferedCommand();
    if (values.length > 0) this.#print(values[0]);
    this.displayPrompt();
  }

  #print(value) {
    if (this.ignoreUndefined && value === undefined) return;
    if (!this.underscoreAssigned) this.last = value;
    this.output.write(`${this.writer(value)}\n`);
  }

  /** Evaluates a text as a whole, as `.load` does with a file. */
  evaluateText(text) {
    ArrayPush(this.lines, text);
    this.#ask(text, this.context, nextName(), (error, ...values) => this.#finishLine('', error, values));
  }

  turnOnEditorMode() {
    this.editorMode = true;
    super.setPrompt('');
  }

  /** Ctrl-D in editor mode: evaluates the entered text as a whole. */
  _ttyWrite(text, key) {
    if (!this.editorMode || !key?.ctrl || key.name !== 'd') {
      super._ttyWrite(text, key);
      return;
    }
    const { line } = this;
    this.editorMode = false;
    this.output.write('\n');
    this.line = '';
    this.cursor = 0;
    const whole = `${this.#buffered}${line}\n`;
    this.#buffered = '';
    this.evaluateText(whole);
  }

  #handleInterrupt() {
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
    if (text === '\n') {
      done(null);
      return;
    }
    let vmContext;
    try {
      vmContext = scriptOf(text, file, {
        isStrict: this.replMode === MODES.strict,
        script: { importModuleDynamically: AS_PROGRAM },
      });
    } catch (error) {
      done(error);
      return;
    }
    let result;
    const settings = { displayErrors: false, breakOnSigint: this.breakEvalOnSigint };
    // While the code runs, Ctrl-C is a signal, not a key.
    const wasRaw = this.breakEvalOnSigint && this.terminal ? this._setRawMode(false) : undefined;
    try {
      result = this.useGlobal ? vmContext.script.runInThisContext(settings) : vmContext.script.runInContext(context, settings);
    } catch (error) {
      done({ err: error });
      return;
    } finally {
      if (wasRaw) this._setRawMode(true);
    }
    if (!vmContext.isAwaiting) {
      done(null, result);
      return;
    }
    this.#isWaiting = true;
    const settle = (error, value) => {
      done(error, value);
      this.#continue();
    };
    AnyThen(
      result,
      (given) => settle(null, given?.[0]),
      (error) => settle(error),
    );
  }

  /** Handles an error thrown by evaluated code, synchronously or later. */
  _handleError(error) {
    const { process } = runtimeParts.process;
    if (this.isProgram && process.listenerCount('uncaughtException') > 0) {
      host.nextTick(() => {
        process.emit('uncaughtException', error);
        this.clearBufferedCommand();
        this.displayPrompt();
      });
      return;
    }
    if (!this.underscoreErrAssigned) this.lastError = error;
    this.output.write(
      require('node/repl/uncaught_text').textOf(error, this.writer, {
        line: ArrayAt(this.lines, -1) ?? '',
        width: writer.options.breakLength,
      }),
    );
    this.clearBufferedCommand();
    this.displayPrompt();
  }

  // --- the context

  createContext() {
    return require('node/repl/context').createContext(this);
  }

  resetContext() {
    this.context = this.createContext();
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.lines = [];
    require('node/repl/context').defineNames(this);
    this.emit('reset', this.context);
  }

  // --- public methods

  clearBufferedCommand() {
    this.#buffered = '';
  }

  /** Closes after the current evaluation has been reported. */
  close() {
    require('internal/parts').process.process.nextTick(() => super.close());
  }

  displayPrompt(preserveCursor) {
    if (this.closed) {
      if (!this.isOver) this.output.write(this.#buffered === '' ? this.#prompt : '| '); // earlier lines are still pending
      return;
    }
    super.setPrompt(this.#buffered === '' ? this.#prompt : '| ');
    this.prompt(preserveCursor);
  }

  setPrompt(prompt) {
    if (#prompt in this) this.#prompt = prompt; // otherwise the interface is under construction
    super.setPrompt(prompt);
  }

  defineCommand(keyword, cmd) {
    const command = typeof cmd === 'function' ? { action: cmd } : cmd;
    if (typeof command?.action !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('cmd.action', 'Function', command?.action);
    this.commands[keyword] = command;
  }

  complete(line, callback) {
    let match;
    try {
      match = require('node/repl/completion').complete(this, line);
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, match);
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

/** Defines the deprecated names of the streams. */
function defineOldStreams(repl) {
  for (const name of intact(['input', 'output'])) {
    const warned = (action) =>
      hasPendingDeprecations(runtimeParts.process.process)
        ? deprecate(
            action,
            'repl.inputStream and repl.outputStream are deprecated. Use repl.input and repl.output instead',
            'DEP0141',
          )
        : action;
    ObjectDefineProperty(repl, `${name}Stream`, {
      __proto__: null,
      get: warned(() => repl[name]),
      set: warned((value) => {
        repl[name] = value;
      }),
      enumerable: false,
      configurable: true,
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

module.exports = { REPLServer, kProgram, writer, MODES, Recoverable };
