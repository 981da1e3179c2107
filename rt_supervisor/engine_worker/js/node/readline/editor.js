'use strict';
// Owns: editing a line on a terminal: changes `line` and `cursor` of an interface and redraws. Key bindings are in
// node/readline/bindings. All drawing goes through the interface's _writeToOutput and _refreshLine, which programs replace.

const runtimeParts = require('internal/parts');
const { AnyPush } = require('internal/any_kind');
const { RegExpMatchAll } = require('internal/patterns');
const {
  ArrayFilter,
  ArrayJoin,
  ArrayPop,
  ArrayPush,
  ArrayReverse,
  ArrayShift,
  ArrayUnshift,
  DateNow,
  MathCeil,
  MathMax,
  MathMin,
  RegExpExec,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { stringWidth } = require('internal/string_width');
const cursor = require('node/readline/cursor');
const { commonPrefix, table } = require('node/readline/completions');
const { lengthAt, lengthLeft, pressControl, pressControlShift, pressMeta } = require('node/readline/bindings');
const { AbortError } = require('internal/errors/errors');

const LINE_END = /\r?\n|\r(?!\n)|\u2028|\u2029/g;
const MOST_KILLED = 32;
const MOST_UNDONE = 2048;

const reverseText = (text) => ArrayJoin(ArrayReverse([...intact(text)]), '');

class LineEditor {
  #rows = 0; // how many rows the cursor is below the first one
  #search = null; // the prefix of matching history lines
  #previousKey;
  #sawReturnAt = 0;
  #undo = [];
  #redo = [];
  #killRing = [];
  #killedIndex = 0;
  #isYanking = false;

  constructor(rl) {
    this.rl = rl;
  }

  get #columns() {
    return this.rl.output?.columns || Infinity;
  }

  // --- drawing

  /** The cursor position after `text` from the first column: { cols, rows }. */
  displayPosition(text) {
    let offset = 0;
    let rows = 0;
    const columns = this.#columns;
    for (const character of intact(require('internal/string_width').stripControls(text))) {
      if (character === '\n') {
        rows += MathCeil(offset / columns) || 1;
        offset = 0;
      } else if (character === '\t') {
        offset += this.rl.tabSize - (offset % this.rl.tabSize);
      } else {
        const width = stringWidth(character);
        // A wide character does not fit into the last column.
        offset += width > 1 && (offset + 1) % columns === 0 ? width + 1 : width;
      }
    }
    return { cols: offset % columns || 0, rows: rows + (columns === Infinity ? 0 : (offset - (offset % columns)) / columns) };
  }

  cursorPosition() {
    return this.displayPosition(this.rl.getPrompt() + StringSlice(this.rl.line, 0, this.rl.cursor));
  }

  refresh() {
    const rl = this.rl;
    const text = rl.getPrompt() + rl.line;
    const end = this.displayPosition(text);
    const place = this.cursorPosition();
    if (this.#rows > 0) cursor.moveCursor(rl.output, 0, -this.#rows);
    cursor.cursorTo(rl.output, 0);
    cursor.clearScreenDown(rl.output);
    rl._writeToOutput(text);
    if (end.cols === 0) rl._writeToOutput(' '); // makes the terminal start the next row
    cursor.cursorTo(rl.output, place.cols);
    if (end.rows > place.rows) cursor.moveCursor(rl.output, 0, place.rows - end.rows);
    this.#rows = place.rows;
  }

  // --- editing

  #remember() {
    ArrayPush(this.#undo, { text: this.rl.line, cursor: this.rl.cursor });
    if (this.#undo.length > MOST_UNDONE) ArrayShift(this.#undo);
  }
  #setLine(line, place = line.length) {
    this.rl.line = line;
    this.rl.cursor = place;
  }
  #restore(from, to) {
    if (from.length === 0) return;
    const rl = this.rl;
    AnyPush(to, { text: rl.line, cursor: rl.cursor });
    const entry = ArrayPop(from);
    this.#setLine(entry.text, entry.cursor);
    rl._refreshLine();
  }

  insert(text) {
    if (text === '') return;
    const rl = this.rl;
    this.#remember();
    if (rl.cursor < rl.line.length) {
      this.#setLine(StringSlice(rl.line, 0, rl.cursor) + text + StringSlice(rl.line, rl.cursor), rl.cursor + text.length);
      rl._refreshLine();
      return;
    }
    const before = this.cursorPosition();
    this.#setLine(rl.line + text);
    // Text at the end of the line is just written; on a new row the line is redrawn. For text that arrived in one chunk only
    // the last character causes this, since completion is enabled for it alone.
    const { rows } = this.cursorPosition();
    if (before.rows < rows && rl.isCompletionEnabled) {
      rl._refreshLine();
    } else {
      rl._writeToOutput(text);
      this.#rows = rows;
    }
  }

  /** Removes the range from `start` to `end` and moves the cursor to `start`. */
  remove(start, end, isKilled = false) {
    if (start === end) return;
    const rl = this.rl;
    this.#remember();
    if (isKilled) this.#kill(StringSlice(rl.line, start, end));
    this.#setLine(StringSlice(rl.line, 0, start) + StringSlice(rl.line, end), start);
    rl._refreshLine();
  }
  #kill(text) {
    if (text === this.#killRing[0]) return;
    ArrayUnshift(this.#killRing, text);
    this.#killedIndex = 0;
    if (this.#killRing.length > MOST_KILLED) ArrayPop(this.#killRing);
  }
  yank() {
    if (this.#killRing.length === 0) return;
    this.#isYanking = true;
    this.insert(this.#killRing[this.#killedIndex]);
  }
  /** Replaces the yanked text by the one killed before it. */
  yankPop() {
    if (!this.#isYanking || this.#killRing.length <= 1) return;
    const rl = this.rl;
    const { length } = this.#killRing[this.#killedIndex];
    this.#killedIndex = (this.#killedIndex + 1) % this.#killRing.length;
    const text = this.#killRing[this.#killedIndex];
    const start = rl.cursor - length;
    this.#setLine(StringSlice(rl.line, 0, start) + text + StringSlice(rl.line, rl.cursor), start + text.length);
    rl._refreshLine();
  }

  move(step) {
    if (step === 0) return;
    const rl = this.rl;
    const before = this.cursorPosition();
    rl.cursor = MathMax(0, MathMin(rl.line.length, rl.cursor + step));
    const after = this.cursorPosition();
    if (before.rows === after.rows) cursor.moveCursor(rl.output, after.cols - before.cols, 0);
    else rl._refreshLine();
  }

  wordLeft() {
    const { line, cursor: place } = this.rl;
    return RegExpExec(/^\s*(?:[^\w\s]+|\w+)?/, reverseText(StringSlice(line, 0, place)))[0].length;
  }
  wordRight(pattern) {
    const { line, cursor: place } = this.rl;
    return RegExpExec(pattern, StringSlice(line, place))?.[0].length ?? 0;
  }

  // --- the whole line

  /** Moves to the end and to a new row, with an empty line. */
  clearLine() {
    this.move(Infinity);
    this.rl._writeToOutput('\r\n');
    this.#setLine('');
    this.#rows = 0;
  }
  enter() {
    const rl = this.rl;
    const line = rl._addHistory();
    this.#undo = [];
    this.#redo = [];
    this.clearLine();
    rl._onLine(line);
  }

  #show(line) {
    if (line === undefined) return;
    this.#remember();
    this.#setLine(line);
    this.rl._refreshLine();
  }

  complete(isAgain) {
    const rl = this.rl;
    rl.pause();
    const text = StringSlice(rl.line, 0, rl.cursor);
    rl.completeWith(text, (error, completions) => {
      rl.resume();
      if (error) {
        rl._writeToOutput(`Tab completion error: ${require('internal/inspect/inspect').inspect(error)}`);
        return;
      }
      if (completions?.[0]?.length > 0) this.#useCompletions(completions[0], completions[1], isAgain);
    });
  }
  #useCompletions(completions, completed, isAgain) {
    const rl = this.rl;
    const prefix = commonPrefix(ArrayFilter(completions, (one) => one !== ''));
    if (StringStartsWith(prefix, completed) && prefix.length > completed.length) {
      this.insert(StringSlice(prefix, completed.length));
      return;
    }
    if (!StringStartsWith(completed, prefix)) {
      const start = rl.cursor - completed.length;
      this.#setLine(StringSlice(rl.line, 0, start) + prefix + StringSlice(rl.line, rl.cursor), start + prefix.length);
      rl._refreshLine();
      return;
    }
    if (!isAgain) return;
    rl._writeToOutput(table(completions, this.#columns));
    rl._refreshLine();
  }
  // --- keys

  press(text, key = {}) {
    const previous = this.#previousKey;
    this.#previousKey = key;
    if (!key.meta || key.name !== 'y') this.#isYanking = false;
    this.#updateSearch(key);
    if (key.sequence === '\x1f') this.#restore(this.#undo, this.#redo);
    else if (key.sequence === '\x1e') this.#restore(this.#redo, this.#undo);
    else if (key.name === 'escape') return;
    else if (key.ctrl && key.shift) pressControlShift(this, key.name);
    else if (key.ctrl) pressControl(this, key.name);
    else if (key.meta) pressMeta(this, key.name);
    else this.#pressPlain(text, key, previous);
  }

  /** On a dumb terminal: echoes the input and handles line ends. */
  pressDumb(text, key = {}) {
    const rl = this.rl;
    if (key.name === 'escape') return;
    if (this.#sawReturnAt && key.name !== 'enter') this.#sawReturnAt = 0;
    if (key.ctrl && key.name === 'c') {
      if (rl.listenerCount('SIGINT') > 0) rl.emit('SIGINT');
      else rl.close();
    } else if (key.ctrl && key.name === 'd') {
      rl.close();
    } else if (key.name === 'return' || key.name === 'enter') {
      this.#pressPlain(text, key);
    } else if (typeof text === 'string' && text !== '') {
      this.#setLine(rl.line + text);
      rl._writeToOutput(text);
    }
  }

  #updateSearch(key) {
    const rl = this.rl;
    if ((key.name === 'up' || key.name === 'down') && !key.ctrl && !key.meta && !key.shift) {
      this.#search ??= StringSlice(rl.line, 0, rl.cursor);
    } else if (this.#search !== null) {
      this.#search = null;
      if (rl.historyIndex === rl.history.length) rl.historyIndex = -1;
    }
  }
  older() {
    this.#show(this.rl.historyManager.older(this.#search ?? '', this.rl.line));
  }
  newer() {
    this.#show(this.rl.historyManager.newer(this.#search ?? '', this.rl.line));
  }

  abandon(reason) {
    this.rl.close();
    this.rl.rejectQuestion(new AbortError(reason));
  }

  /** Ctrl-Z: stops the process like other programs, and redraws when it continues. */
  suspend() {
    const rl = this.rl;
    if (rl.listenerCount('SIGTSTP') > 0) {
      rl.emit('SIGTSTP');
      return;
    }
    const { process } = runtimeParts.process;
    process.once('SIGCONT', () => {
      if (!rl.paused) {
        rl.pause();
        rl.emit('SIGCONT');
      }
      rl._setRawMode(true);
      rl._refreshLine();
    });
    rl._setRawMode(false);
    process.kill(process.pid, 'SIGTSTP');
  }

  #pressPlain(text, key, previous) {
    const rl = this.rl;
    const { line, cursor: place } = rl;
    if (this.#sawReturnAt && key.name !== 'enter') this.#sawReturnAt = 0;
    switch (key.name) {
      case 'return':
        this.#sawReturnAt = DateNow();
        this.enter();
        return;
      case 'enter':
        // \n right after \r ends the same line
        if (this.#sawReturnAt === 0 || DateNow() - this.#sawReturnAt > rl.crlfDelay) this.enter();
        this.#sawReturnAt = 0;
        return;
      case 'backspace':
        this.remove(place - lengthLeft(line, place), place);
        return;
      case 'delete':
        if (place < line.length) this.remove(place, place + lengthAt(line, place));
        return;
      case 'left':
        this.move(-lengthLeft(line, place));
        return;
      case 'right':
        this.move(lengthAt(line, place));
        return;
      case 'home':
        this.move(-Infinity);
        return;
      case 'end':
        this.move(Infinity);
        return;
      case 'up':
        this.older();
        return;
      case 'down':
        this.newer();
        return;
      case 'tab':
        if (typeof rl.completer === 'function' && rl.isCompletionEnabled) {
          rl._tabComplete(previous?.name === 'tab');
          return;
        }
    }
    if (typeof text !== 'string' || text === '') return;
    let done = 0;
    for (const match of intact(RegExpMatchAll(LINE_END, text))) {
      this.insert(StringSlice(text, done, match.index));
      done = match.index + match[0].length;
      this.enter();
    }
    this.insert(StringSlice(text, done));
  }
}

module.exports = { LineEditor, LINE_END };
