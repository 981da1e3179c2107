'use strict';
// Owns: the key bindings of Ctrl and Alt combinations; the editing commands are in node/readline/editor.

const { StringCodePointAt } = require('internal/primordials');
const cursor = require('node/readline/cursor');

const lengthLeft = (text, place) => (place <= 0 ? 0 : place > 1 && StringCodePointAt(text, place - 2) > 0xffff ? 2 : 1);
const lengthAt = (text, place) => (StringCodePointAt(text, place) > 0xffff ? 2 : 1);

function pressControlShift(editor, name) {
  const rl = editor.rl;
  if (name === 'backspace') editor.remove(0, rl.cursor, true);
  else if (name === 'delete') editor.remove(rl.cursor, rl.line.length, true);
}

function pressControl(editor, name) {
  const rl = editor.rl;
  const { line, cursor: place } = rl;
  switch (name) {
    case 'c':
      if (rl.listenerCount('SIGINT') > 0) rl.emit('SIGINT');
      else editor.abandon('Aborted with Ctrl+C');
      break;
    case 'd':
      if (place === 0 && line === '') editor.abandon('Aborted with Ctrl+D');
      else if (place < line.length) editor.remove(place, place + lengthAt(line, place));
      break;
    case 'h':
      editor.remove(place - lengthLeft(line, place), place);
      break;
    case 'u':
      editor.remove(0, place, true);
      break;
    case 'k':
      editor.remove(place, line.length, true);
      break;
    case 'a':
      editor.move(-Infinity);
      break;
    case 'e':
      editor.move(Infinity);
      break;
    case 'b':
      editor.move(-lengthLeft(line, place));
      break;
    case 'f':
      editor.move(lengthAt(line, place));
      break;
    case 'l':
      cursor.cursorTo(rl.output, 0, 0);
      cursor.clearScreenDown(rl.output);
      rl._refreshLine();
      break;
    case 'n':
      editor.newer();
      break;
    case 'p':
      editor.older();
      break;
    case 'y':
      editor.yank();
      break;
    case 'z':
      editor.suspend();
      break;
    case 'w':
    case 'backspace':
      editor.remove(place - editor.wordLeft(), place);
      break;
    case 'delete':
      editor.remove(place, place + editor.wordRight(/^(?:\s+|\W+|\w+)\s*/));
      break;
    case 'left':
      editor.move(-editor.wordLeft());
      break;
    case 'right':
      editor.move(editor.wordRight(/^(?:\s+|[^\w\s]+|\w+)\s*/));
      break;
  }
}

function pressMeta(editor, name) {
  const { cursor: place } = editor.rl;
  switch (name) {
    case 'b':
      editor.move(-editor.wordLeft());
      break;
    case 'f':
      editor.move(editor.wordRight(/^(?:\s+|[^\w\s]+|\w+)\s*/));
      break;
    case 'd':
    case 'delete':
      editor.remove(place, place + editor.wordRight(/^(?:\s+|\W+|\w+)\s*/));
      break;
    case 'backspace':
      editor.remove(place - editor.wordLeft(), place);
      break;
    case 'y':
      editor.yankPop();
      break;
  }
}

module.exports = { lengthAt, lengthLeft, pressControl, pressControlShift, pressMeta };
