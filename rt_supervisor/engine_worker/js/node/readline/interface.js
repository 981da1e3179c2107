'use strict';
// Owns: the Interface of node:readline: lines from a stream, prompts and questions. On a terminal node/readline/editor.js
// edits the line; otherwise chunks are split at line ends, with \r and \n possibly in different chunks.

const runtimeParts = require('internal/parts');
const { AnyThen } = require('internal/any_kind');
const { RegExpSplit } = require('internal/patterns');
const {
  ArrayPop,
  ArrayPush,
  DateNow,
  MathMax,
  NumberIsFinite,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  ReflectConstruct,
  RegExpTest,
  StringEndsWith,
  StringSlice,
  StringSplit,
  StringStartsWith,
  SymbolFor,
} = require('internal/primordials');
const EventEmitter = require('node/events/events');
const { codes } = require('internal/errors/errors');
const { validateAbortSignal, validateString, validateUint32 } = require('internal/validators');
const { History } = require('node/readline/history');

const LINE_END = /\r?\n|\r(?!\n)|\u2028|\u2029/;
const LEAST_CRLF_DELAY_MS = 100;

class LineReader extends EventEmitter {
  #prompt;
  #oldPrompt;
  #question = null; // { answer, reject }
  #editor = null;
  #decoder;
  #rest = '';
  #sawReturnAt = 0;
  #lines;

  constructor(input, output, completer, terminal) {
    super();
    let options = {};
    if (input?.input) {
      options = input;
      ({ input, output, completer, terminal } = options);
    }
    const { tabSize = 8, prompt = '> ', escapeCodeTimeout = 500, signal } = options;
    validateUint32(tabSize, 'tabSize', true);
    if (!NumberIsFinite(escapeCodeTimeout)) throw new codes.ERR_INVALID_ARG_VALUE('input.escapeCodeTimeout', 500);
    if (signal) validateAbortSignal(signal, 'options.signal');
    this.isCompletionEnabled = true;
    this.escapeCodeTimeout = escapeCodeTimeout;
    this.tabSize = tabSize;
    ObjectDefineProperty(this, 'historyManager', {
      __proto__: null,
      value: new History(options),
      writable: true,
      configurable: true,
    });
    if (completer !== undefined && typeof completer !== 'function') throw new codes.ERR_INVALID_ARG_VALUE('completer', completer);
    if (terminal === undefined && output !== null && output !== undefined) terminal = Boolean(output.isTTY);
    this.line = '';
    this.cursor = 0;
    this.input = input;
    this.output = output;
    this.terminal = Boolean(terminal);
    this.paused = false;
    this.closed = false;
    this.crlfDelay = options.crlfDelay ? MathMax(LEAST_CRLF_DELAY_MS, options.crlfDelay) : LEAST_CRLF_DELAY_MS;
    this.completer = completer;
    this.setPrompt(prompt);
    this.#listen();
    if (signal) this.#attachSignal(signal);
    input.resume();
  }

  get history() {
    return this.historyManager.lines;
  }
  set history(lines) {
    this.historyManager.lines = lines;
  }
  get historyIndex() {
    return this.historyManager.index;
  }
  set historyIndex(index) {
    this.historyManager.index = index;
  }
  get columns() {
    return this.output?.columns || Infinity;
  }

  #listen() {
    const { input, output } = this;
    const subscriptions = [];
    const on = (emitter, name, listener) => {
      emitter.on(name, listener);
      ArrayPush(subscriptions, [emitter, name, listener]);
    };
    on(input, 'error', (error) => this.emit('error', error));
    if (this.terminal) {
      const { LineEditor } = require('node/readline/editor');
      this.#editor = new LineEditor(this);
      require('node/readline/keys').emitKeypressEvents(input, this);
      on(input, 'keypress', (text, key) => this._ttyWrite(text, key));
      on(input, 'end', () => this.#finish(this.line));
      this._setRawMode(true);
      if (output !== null && output !== undefined) on(output, 'resize', () => this._refreshLine());
    } else {
      const { StringDecoder } = require('node/string_decoder');
      this.#decoder = new StringDecoder('utf8');
      on(input, 'data', (chunk) => this.#takeChunk(chunk));
      on(input, 'end', () => this.#finish(this.#rest));
    }
    this.once('close', () => {
      for (let index = 0; index < subscriptions.length; index++) {
        const { 0: emitter, 1: name, 2: listener } = subscriptions[index];
        emitter.removeListener(name, listener);
      }
    });
  }

  #attachSignal(signal) {
    const close = () => this.close();
    if (signal.aborted) {
      host.nextTick(close);
      return;
    }
    const listening = require('web/abort').addAbortListener(signal, close);
    this.once('close', () => listening[Symbol.dispose]());
  }

  /** Handles the end of the input: a rest without a line end is a line, too. */
  #finish(rest) {
    if (typeof rest === 'string' && rest.length > 0) this.emit('line', rest);
    this.close();
  }

  #takeChunk(chunk) {
    if (chunk === undefined) return;
    let text = this.#decoder.write(chunk);
    if (this.#sawReturnAt && DateNow() - this.#sawReturnAt <= this.crlfDelay) {
      if (StringStartsWith(text, '\n')) text = StringSlice(text, 1);
      this.#sawReturnAt = 0;
    }
    if (text === '') return;
    const lines = RegExpTest(/[\r\u2028\u2029]/, text) ? RegExpSplit(LINE_END, text) : StringSplit(text, '\n');
    if (lines.length === 1) {
      this.#rest += text;
      return;
    }
    this.#sawReturnAt = StringEndsWith(text, '\r') ? DateNow() : 0;
    lines[0] = this.#rest + lines[0];
    this.#rest = ArrayPop(lines);
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index];
      this._onLine(line);
    }
  }

  // --- prompts and questions

  setPrompt(prompt) {
    this.#prompt = prompt;
  }
  getPrompt() {
    return this.#prompt;
  }

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    if (this.terminal && runtimeParts.process.process.env.TERM !== 'dumb') {
      if (!preserveCursor) this.cursor = 0;
      this._refreshLine();
    } else {
      this._writeToOutput(this.#prompt);
    }
  }

  /** Asks a question; while another is pending, shows that one again. */
  ask(query, answer, reject) {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (this.#question === null) {
      this.#oldPrompt = this.#prompt;
      this.#prompt = query;
      this.#question = { answer, reject };
    }
    this.prompt();
  }
  cancelQuestion() {
    if (this.#question === null) return;
    this.#question = null;
    this.#prompt = this.#oldPrompt;
    this.clearLine();
  }
  rejectQuestion(error) {
    this.#question?.reject?.(error);
  }

  _onLine(line) {
    if (this.#question === null) {
      this.emit('line', line);
      return;
    }
    const { answer } = this.#question;
    this.#question = null;
    this.#prompt = this.#oldPrompt;
    answer(line);
  }

  // --- public methods

  close() {
    if (this.closed) return;
    this.pause();
    if (this.terminal) this._setRawMode(false);
    this.closed = true;
    this.emit('close');
  }
  pause() {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) return undefined;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }
  resume() {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (!this.paused) return undefined;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }
  write(data, key) {
    if (this.closed) throw new codes.ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) this.resume();
    if (this.terminal) this._ttyWrite(data, key ?? {});
    else this.#takeChunk(data);
  }
  clearLine() {
    if (this.#editor !== null) {
      this.#editor.clearLine();
    } else {
      this._writeToOutput('\r\n');
      this.line = '';
      this.cursor = 0;
    }
  }
  getCursorPos() {
    const { LineEditor } = require('node/readline/editor');
    return (this.#editor ?? new LineEditor(this)).cursorPosition();
  }

  // --- methods that programs replace

  _writeToOutput(text) {
    validateString(text, 'stringToWrite');
    if (this.output !== null && this.output !== undefined) this.output.write(text);
  }
  _refreshLine() {
    this.#editor?.refresh();
  }
  _ttyWrite(text, key) {
    if (runtimeParts.process.process.env.TERM === 'dumb') this.#editor?.pressDumb(text, key);
    else this.#editor?.press(text, key);
    // A surrogate is half a character and was drawn alone.
    const code = key?.sequence?.codePointAt(0);
    if (code >= 0xd800 && code <= 0xdfff) this._refreshLine();
  }
  _insertString(text) {
    this.#editor?.insert(text);
  }
  _moveCursor(step) {
    this.#editor?.move(step);
  }
  _line() {
    this.#editor?.enter();
  }
  _tabComplete(isAgain) {
    this.#editor?.complete(isAgain);
  }
  _setRawMode(isRaw) {
    const wasRaw = this.input.isRaw;
    if (typeof this.input.setRawMode === 'function') this.input.setRawMode(isRaw);
    return wasRaw;
  }
  _addHistory() {
    const { line } = this;
    if (line !== '' && this.historyManager.add(line)) this.emit('history', this.history);
    return line;
  }

  /** Calls the completer, which takes a callback or returns the completions. */
  completeWith(text, callback) {
    if (this.completer.length === 2) {
      this.completer(text, callback);
      return;
    }
    let completions;
    try {
      completions = this.completer(text);
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, completions);
  }

  [Symbol.asyncIterator]() {
    this.#lines ??= linesOf(this);
    return this.#lines;
  }
  [Symbol.dispose]() {
    this.close();
  }
}

const kWatermarks = SymbolFor('nodejs.watermarkData');

/** Yields the lines until the interface is closed. */
function linesOf(rl) {
  const events = EventEmitter.on(rl, 'line', { close: ['close'], highWaterMark: 1024 });
  const first = (result) => (result.done ? result : { value: result.value[0], done: false });
  return {
    __proto__: ObjectGetPrototypeOf(ObjectGetPrototypeOf(events)),
    next: () => AnyThen(events.next(), first),
    return: (value) => events.return(value),
    throw: (error) => events.throw(error),
    [kWatermarks]: events[kWatermarks],
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The class, callable without `new` for older programs. */
function callable(Class) {
  const Interface = {
    Interface: function (...args) {
      return ReflectConstruct(Class, args, new.target ?? Interface);
    },
  }.Interface;
  ObjectSetPrototypeOf(Interface, Class);
  Interface.prototype = Class.prototype;
  Class.prototype.constructor = Interface;
  return Interface;
}

module.exports = { LineReader, callable };
