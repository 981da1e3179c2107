'use strict';
// Owns: what the dot commands of `rt repl` do. A prefix of a name suffices: `.ex` is `.exit`. What a command is, and which
// commands abandon an input, is decided natively, because the editor starts before the engine (native/src/repl/commands.rs).

const runtimeParts = require('internal/parts');
const {
  ArrayFind,
  ArrayJoin,
  ArrayMap,
  ObjectKeys,
  StringPadEnd,
  StringPadStart,
  StringStartsWith,
} = require('internal/primordials');
const { evaluate } = require('rt/repl/evaluation');
const { errorText, resultText, write } = require('rt/repl/printing');

const NAME_WIDTH = 9;

/** Each is called with the session, the text after its name, and what to call when it is done. */
const commands = {
  __proto__: null,
  break: { help: 'Cancel the current input', run: (session, text, done) => done() },
  clear: {
    help: 'Clear the screen',
    run(session, text, done) {
      if (session.isTerminal) write('\x1b[H\x1b[2J\x1b[3J');
      done();
    },
  },
  copy: { help: 'Copy the last result, or that of an expression, to the clipboard', run: copy },
  editor: {
    help: 'Enter several lines; Ctrl+D evaluates them, Ctrl+C cancels',
    run(session, text, done) {
      if (session.isTerminal) {
        write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
        session.readsWholeText = true;
      } else write('.editor needs a terminal; other input may have several lines anyway\n');
      done();
    },
  },
  exit: { help: 'Exit', run: () => runtimeParts.process.process.exit() },
  help: { help: 'Print this text', run: help },
  history: { help: 'Print the inputs of this session', run: history },
  load: { help: 'Evaluate a file', run: load },
  save: { help: 'Save the inputs of this session to a file', run: save },
  type: {
    help: 'Print the TypeScript type of an expression',
    run: (session, text, done) => require('rt/repl/types').printType(session, text, done),
  },
};

/** Runs the command of an input, [name, text], then calls `done`. */
function runCommand(session, { 0: name, 1: text }, done) {
  const isStarted = (each) => name.length > 1 && StringStartsWith(each, name);
  const command = commands[name] ?? commands[ArrayFind(ObjectKeys(commands), isStarted) ?? ''];
  if (command !== undefined) command.run(session, text, done);
  else {
    write(`Unknown command: .${name}\nType .help for the commands.\n`);
    done();
  }
}

function help(session, text, done) {
  const rows = ArrayMap(ObjectKeys(commands), (name) => `  .${StringPadEnd(name, NAME_WIDTH)} ${commands[name].help}\n`);
  write(
    `Commands:\n${ArrayJoin(rows, '')}\n` +
      'Keys:\n' +
      '  Tab        Complete names, members, modules and paths\n' +
      '  Right      Accept the suggested rest of a name\n' +
      '  Up, Down   Earlier inputs; Ctrl+R searches them\n' +
      '  Ctrl+C     Cancel the input or the evaluation; twice: exit\n' +
      '  Ctrl+D     Exit\n\n' +
      '`_` is the last result, `_error` the last error.\n',
  );
  done();
}

function history(session, text, done) {
  for (let index = 0; index < session.lines.length; index++)
    write(`${StringPadStart(String(index + 1), 4)}  ${session.lines[index]}\n`);
  done();
}

function load(session, file, done) {
  if (file === '') {
    write('Usage: .load <filename>\n');
    done();
    return;
  }
  let text;
  try {
    text = require('node/fs/fs').readFileSync(file, 'utf8');
  } catch (error) {
    write(`Failed to load ${file}: ${error.message}\n`);
    done();
    return;
  }
  session.run(text, done);
}

function save(session, file, done) {
  if (file === '') write('Usage: .save <filename>\n');
  else {
    try {
      require('node/fs/fs').writeFileSync(file, `${ArrayJoin(session.lines, '\n')}\n`);
      write(`Session saved to ${file}\n`);
    } catch (error) {
      write(`Failed to save ${file}: ${error.message}\n`);
    }
  }
  done();
}

/** Copies through the terminal (OSC 52), which also works over SSH. */
function copyValue(value) {
  const text = typeof value === 'string' ? value : resultText(value, false);
  const { Buffer } = require('node/buffer/buffer');
  write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07Copied ${text.length} characters to clipboard\n`);
}

function copy(session, text, done) {
  if (text === '') {
    copyValue(session.last);
    done();
    return;
  }
  evaluate(text, (outcome) => {
    session.keep(outcome);
    if ('error' in outcome) write(errorText(outcome.error));
    else copyValue(outcome.value);
    done();
  });
}

module.exports = { commands, runCommand };
