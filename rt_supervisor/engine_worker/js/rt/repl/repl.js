'use strict';
// Owns: `rt repl` as a program. On a terminal it reads inputs from the native line editor; otherwise it reads standard input
// and prints results only. `-e` and `-p` evaluate one text and end as a program does.
//
//     reading --an input--> evaluating --settled, or Ctrl-C--> reading     `.editor`: reading, up to Ctrl-D

const runtimeParts = require('internal/parts');
const { ArrayPush, StringTrim } = require('internal/primordials');
const { evaluate } = require('rt/repl/evaluation');
const { runCommand } = require('rt/repl/commands');
const { errorText, printOutcome, resultText, write } = require('rt/repl/printing');
const { defineNames } = require('rt/repl/names');

const ERASE_BELOW = '\x1b[J';

/** State shared by the parts of the REPL. `lines` are the inputs of this session, `last` is the value of `_`. */
class Session {
  lines = [];
  last = undefined;
  isTerminal = false;
  isReading = false;
  readsWholeText = false;
  wasInterrupted = false;

  /** Sets `_` or `_error` to an outcome. */
  keep(outcome) {
    if ('error' in outcome) globalThis._error = outcome.error;
    else if (outcome.value !== undefined) {
      this.last = outcome.value;
      globalThis._ = outcome.value;
    }
  }

  /** Evaluates a text, stores and prints the outcome, then calls `done`. */
  run(text, done) {
    ArrayPush(this.lines, text);
    evaluate(text, (outcome) => {
      this.keep(outcome);
      if (outcome.isInterrupted && this.isTerminal) write('\n'); // the terminal has shown ^C
      if (!outcome.isImport) printOutcome(outcome);
      done();
    });
  }

  /** Handles one whole input, a command or a text, then calls `done`. */
  handle(text, done) {
    const command = host.native.replCommand(text);
    if (command !== undefined) runCommand(this, command, done);
    else if (StringTrim(text) === '') done();
    else this.run(text, done);
  }
}

const textOf = (chunk) => (typeof chunk === 'string' ? chunk : host.utf8.decode(chunk, 0, chunk.byteLength));

/** Reports errors that are thrown later; they do not end the REPL. */
function reportLaterErrors(session) {
  runtimeParts.process.process.addUncaughtExceptionCaptureCallback((error) => {
    session.keep({ error });
    write(errorText(error));
    return true;
  });
}

function startOnTerminal(session) {
  const { native } = host;
  const { process } = runtimeParts.process;
  const { complete } = require('rt/repl/completions');
  const { hintFor } = require('rt/repl/hints');
  session.isTerminal = true;
  session.isReading = true;
  const end = () => process.exit();
  const readNext = () => {
    native.repl_flush();
    session.isReading = true;
    native.replRead(session.readsWholeText);
  };
  const handlers = {
    __proto__: null,
    line(text) {
      session.isReading = false;
      session.wasInterrupted = false;
      if (session.readsWholeText) {
        session.readsWholeText = false;
        if (StringTrim(text) === '') readNext();
        else session.run(text, readNext);
      } else session.handle(text, readNext);
    },
    interrupt(isBlank) {
      session.isReading = false;
      const leavesText = session.readsWholeText;
      session.readsWholeText = false;
      if (isBlank && session.wasInterrupted && !leavesText) {
        end();
        return;
      }
      session.wasInterrupted = isBlank && !leavesText;
      write(`${ERASE_BELOW}${session.wasInterrupted ? '(press Ctrl+C again to exit, or Ctrl+D)\n' : ''}`);
      readNext();
    },
    end() {
      session.isReading = false;
      if (session.readsWholeText) handlers.interrupt(false);
      else end();
    },
    failure(why) {
      session.isReading = false;
      native.core_write(2, `error: the terminal cannot be read: ${why}\n`);
      process.exit(1);
    },
    complete(id, before, after) {
      native.replAnswer(id, complete(session, before, after));
    },
    hint(id, text) {
      native.replAnswer(id, hintFor(session, text));
    },
  };
  // The output of timers and other callbacks appears above the prompt.
  require('node/process/printing').setDiversion(
    (descriptor, chunk) =>
      session.isReading && descriptor <= 2 && host.native.core_isTerminal(descriptor) && native.replPrint(textOf(chunk)),
  );
  process.prependListener('exit', () => {
    const isInPrompt = session.isReading;
    session.isReading = false;
    native.replClose();
    if (isInPrompt) write(`${ERASE_BELOW}\n`); // a timer has ended the program
  });
  native.replOpen((kind, first, second, third) => handlers[kind](first, second, third));
}

/**
 * Evaluates a text once. An error that it throws is uncaught; with `prints`, the result is printed when nothing is
 * pending.
 */
function evaluateOnce(code, prints) {
  const { process } = runtimeParts.process;
  const print = (value) => {
    if (prints) process.once('beforeExit', () => write(`${resultText(value)}\n`));
  };
  if (StringTrim(code) === '') {
    print(undefined);
    return;
  }
  evaluate(
    code,
    (outcome) => {
      if ('error' in outcome) runtimeParts.uncaught(outcome.error);
      else print(outcome.value);
    },
    { isProgram: true },
  );
}

/**
 * Starts the REPL with the start value `repl`.
 * @param {{ code?: string, prints?: boolean }} config
 */
function start({ code, prints = false }) {
  defineNames();
  if (code !== undefined) {
    evaluateOnce(code, prints);
    return;
  }
  const session = new Session();
  reportLaterErrors(session);
  if (host.native.replIsTerminal()) startOnTerminal(session);
  else require('rt/repl/piped').readInput(session);
}

module.exports = { start };
