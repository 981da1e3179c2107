'use strict';
// Owns: alert, confirm and prompt: print a question to standard output and wait for a line of standard input.

const { ArrayPush, StringEndsWith, StringSlice } = require('internal/primordials');
const fs = require('node/fs/fs');

const LINE_FEED = 10;
const WAIT_MS = 10; // the polling interval if standard input is non-blocking

/**
 * Reads the next line byte by byte, so that following input is left unread. Returns null at the end of input; a line without a
 * line feed is empty.
 */
function line() {
  const { Buffer } = require('node/buffer/buffer');
  const one = Buffer.alloc(1);
  const bytes = [];
  for (;;) {
    let count;
    try {
      count = fs.readSync(0, one, 0, 1, null);
    } catch (error) {
      if (error.code !== 'EAGAIN') return null;
      host.native.process_sleep(WAIT_MS);
      continue;
    }
    if (count === 0) return bytes.length === 0 ? null : '';
    if (one[0] === LINE_FEED) break;
    ArrayPush(bytes, one[0]);
  }
  const text = Buffer.from(bytes).toString();
  return StringEndsWith(text, '\r') ? StringSlice(text, 0, -1) : text;
}

function ask(text) {
  fs.writeSync(1, text);
  return line();
}

function alert(message) {
  ask(`${arguments.length > 0 ? message : 'Alert'} [Enter] `);
}

function confirm(message) {
  const answer = ask(`${arguments.length > 0 ? message : 'Confirm'} [y/N] `);
  return answer === 'y' || answer === 'Y';
}

/** Returns the input; if that is empty, `initial`, or null. */
function prompt(message, initial = undefined) {
  const hint = arguments.length > 1 ? ` [${initial}]` : '';
  const answer = ask(`${arguments.length > 0 ? message : 'Prompt'}${hint} `);
  return answer === '' ? (initial ?? null) : answer;
}

module.exports = { alert, confirm, prompt };
