// @ts-check
'use strict';
// Owns: the REPL's dot commands.

const { ArrayJoin, ArrayMap, ArraySort, MathMax, ObjectKeys, StringRepeat, intact } = require('internal/primordials');

/** Defines the standard commands on `repl`. */
function defineCommands(repl) {
  repl.defineCommand('break', {
    help: 'Sometimes you get stuck, this gets you out',
    action() {
      this.clearBufferedCommand();
      this.displayPrompt();
    },
  });
  repl.defineCommand('clear', {
    help: repl.useGlobal ? 'Alias for .break' : 'Break, and also clear the local context',
    action() {
      this.clearBufferedCommand();
      if (!this.useGlobal) {
        this.output.write('Clearing context...\n');
        this.resetContext();
      }
      this.displayPrompt();
    },
  });
  repl.defineCommand('exit', {
    help: 'Exit the REPL',
    action() {
      this.close();
    },
  });
  repl.defineCommand('help', { help: 'Print this help message', action: help });
  repl.defineCommand('save', { help: 'Save all evaluated commands in this REPL session to a file', action: save });
  repl.defineCommand('load', { help: 'Load JS from a file into the REPL session', action: load });
  if (!repl.terminal) return;
  repl.defineCommand('editor', {
    help: 'Enter editor mode',
    action() {
      this.turnOnEditorMode();
      this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
    },
  });
}

function help() {
  const names = ArraySort(ObjectKeys(this.commands));
  const width = MathMax(...intact(ArrayMap(names, (name) => name.length))) + 3;
  for (const name of intact(names)) {
    const { help: text } = this.commands[name];
    this.output.write(`.${name}${text ? StringRepeat(' ', width - name.length) + text : ''}\n`);
  }
  this.output.write('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
  this.displayPrompt();
}

function save(file) {
  try {
    if (file === '') this.output.write('The "file" argument must be specified\n');
    else {
      require('node/fs/fs').writeFileSync(file, ArrayJoin(this.lines, '\n'));
      this.output.write(`Session saved to: ${file}\n`);
    }
  } catch (error) {
    void error;
    this.output.write(`Failed to save: ${file}\n`);
  }
  this.displayPrompt();
}

function load(file) {
  const fs = require('node/fs/fs');
  try {
    if (file === '') this.output.write('The "file" argument must be specified\n');
    else if (fs.statSync(file).isFile()) this.evaluateText(fs.readFileSync(file, 'utf8'));
    else this.output.write(`Failed to load: ${file} is not a valid file\n`);
  } catch (error) {
    void error;
    this.output.write(`Failed to load: ${file}\n`);
  }
  this.displayPrompt();
}

module.exports = { defineCommands };
