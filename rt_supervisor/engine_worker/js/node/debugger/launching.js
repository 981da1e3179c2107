'use strict';
// Owns: starting the debugged program as a child, paused at its first statement, with its debugger on a free port.

const { ArrayFilter, NumberIsNaN, RegExpExec } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { setTimeout } = require('internal/timers');

const PATIENCE_MS = 3000;
const RETRY_MS = 150;
const LISTENS = /^(?:Listening:\n {2}|Debugger listening on )ws:\/\/\[?(.+?)\]?:(\d+)\//m;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The code of the connection error; undefined if something is listening. */
function refusal(hostname, port) {
  const net = require('node/module/builtins').load('net');
  return new Promise((resolve) => {
    const socket = net.connect(port, hostname);
    socket.on('error', ({ code }) => resolve(code));
    socket.on('connect', () => {
      socket.end();
      resolve(undefined);
    });
  });
}

/** Waits until a port is free: a previously debugged program may still use it. */
async function awaitFree(hostname, port) {
  if (port === 0) return; // any
  const until = host.now() + PATIENCE_MS;
  for (;;) {
    await pause(RETRY_MS);
    if (host.now() > until) {
      throw new codes.ERR_DEBUGGER_STARTUP_ERROR(`Timeout (${PATIENCE_MS}) waiting for ${hostname}:${port} to be free`);
    }
    if ((await refusal(hostname, port)) === 'ECONNREFUSED') return;
  }
}

/**
 * Starts a program. Returns the child and the address of its debugger; `print(text, stream)` receives its output.
 * @param {string[]} words the program with its flags and arguments
 */
async function launch(words, hostname, port, print) {
  if (ArrayFilter(words, (word) => word === '--no-inspect' || word === '--no-inspect-brk').length > 0)
    throw new codes.ERR_DEBUGGER_STARTUP_ERROR('a program that is not to be debugged cannot be');
  await awaitFree(hostname, port);
  const { spawn } = require('node/child_process/child_process');
  const child = spawn(runtimeParts.process.process.execPath, [`--inspect-brk=${port}`, ...words]); // eslint-disable-line rt/saved-primordials
  const hear = (stream, name) => stream.setEncoding('utf8').on('data', (text) => print(text, name));
  hear(child.stdout, 'stdout');
  hear(child.stderr, 'stderr');
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (message) => reject(new codes.ERR_DEBUGGER_STARTUP_ERROR(message));
    const onExit = (code, signal) =>
      fail(`Target exited before the inspector was ready (${signal === null ? `code ${code}` : signal})`);
    const onError = (error) => fail(error.message);
    const onText = (text) => {
      output += text;
      const match = RegExpExec(LISTENS, output);
      if (match === null || NumberIsNaN(Number(match[2]))) return;
      child.stderr.removeListener('data', onText);
      child.removeListener('exit', onExit);
      child.removeListener('error', onError);
      resolve({ child, hostname: match[1], port: Number(match[2]) });
    };
    child.once('exit', onExit);
    child.once('error', onError);
    child.stderr.on('data', onText);
  });
}

module.exports = { launch };
