'use strict';
// Owns: `rt inspect`, the command-line debugger: the program that it starts or attaches to, and that program's lifecycle.

const { ArrayJoin, ArrayMap, ArrayPop, ArraySlice, NumberParseFloat, PromiseThen, RegExpExec, RegExpTest, StringEndsWith, intact } = require('internal/primordials'); // prettier-ignore
const { PromiseRace } = require('internal/promises');
const { RegExpSplit } = require('internal/patterns');
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const timers = require('internal/timers');
const { Client } = require('node/debugger/client');
const { USAGE } = require('node/debugger/help');

const PORT = 9229;
const LOCAL = '127.0.0.1';
const ATTEMPTS = 5;
const RETRY_MS = 1000;
const LEFT = 'Waiting for the debugger to disconnect...\n';

/** Parses the arguments: a program to start (`words`), or the address of one that is listening. */
function targetOf(words) {
  const { process } = runtimeParts.process;
  const { 0: first } = words;
  const place = RegExpExec(/^([^:]+):(\d+)$/, first);
  if (place !== null) return { hostname: place[1], port: NumberParseFloat(place[2]) };
  const port = RegExpExec(/^--port=(\d+)$/, first);
  if (port !== null) return { hostname: LOCAL, port: NumberParseFloat(port[1]), words: ArraySlice(words, 1) };
  if (first !== '-p' || words.length !== 2 || !RegExpTest(/^\d+$/, words[1])) return { hostname: LOCAL, port: PORT, words };
  try {
    process.kill(Number(words[1]), 'SIGUSR1');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
    process.stderr.write(`Target process: ${words[1]} doesn't exist.\n`);
    process.exit(1);
  }
  return { hostname: LOCAL, port: PORT };
}

/** A debugged program, which may end and be restarted. */
class Debugged {
  client = new Client();
  input = runtimeParts.process.process.stdin;
  output = runtimeParts.process.process.stdout;
  repl; // while there is a prompt
  #target;
  #child = null;
  #shows = 0; // outputs being prepared; until they are printed, no prompt is shown and no command is read
  #partialLines = { stdout: '', stderr: '' }; // incomplete lines of the program's output

  constructor(target) {
    this.#target = target;
  }

  // --- lifecycle

  /** Starts or finds the program and runs it up to its first pause; `view` displays it. */
  async begin(view) {
    this.end();
    const target = await this.#locate();
    this.print(`connecting to ${target.hostname}:${target.port} ..`);
    for (let attempt = 1; ; attempt++) {
      this.output.write('.');
      try {
        await this.client.connect(target.port, target.hostname);
        break;
      } catch {
        if (attempt === ATTEMPTS) {
          this.output.write(' failed to connect, please retry\n');
          runtimeParts.process.process.exit(1);
        }
        await new Promise((resolve) => timers.setTimeout(resolve, RETRY_MS));
      }
    }
    this.output.write(' ok\n');
    await this.#prepare(view);
  }

  async #locate() {
    const { words, hostname, port } = this.#target;
    if (words === undefined) return { hostname, port };
    const { launch } = require('node/debugger/launching');
    const launched = await launch(words, hostname, port, (text, stream) => this.#printOutput(text, stream));
    this.#child = launched.child;
    return launched;
  }

  async #prepare(view) {
    const { client } = this;
    const isOurs = this.#target.words !== undefined;
    if (isOurs) await awaitStart(client);
    const paused =
      isOurs && runtimeParts.process.process.env.NODE_INSPECT_RESUME_ON_START !== '1'
        ? new Promise((resolve) => client.once('Debugger.paused', resolve))
        : undefined;
    await client.call('Runtime.enable');
    await client.call('Profiler.enable');
    await client.call('Profiler.setSamplingInterval', { interval: 100 });
    await client.call('Debugger.enable');
    await client.call('Debugger.setAsyncCallStackDepth', { maxDepth: 0 });
    await client.call('Debugger.setBlackboxPatterns', { patterns: [] });
    await client.call('Debugger.setPauseOnExceptions', { state: view.pausesOn });
    await view.breakpoints.restore();
    await client.call('Runtime.runIfWaitingForDebugger');
    if (paused === undefined) return;
    await PromiseRace([paused, new Promise((resolve) => client.once('close', resolve))]);
    await view.shown;
  }

  end() {
    this.#child?.kill(); // first: without a debugger it would continue running
    this.#child = null;
    this.client.close();
  }

  // --- output

  #clearLine() {
    if (!this.output.isTTY) {
      this.output.write('\b');
      return;
    }
    this.output.cursorTo(0);
    this.output.clearLine(1);
  }

  print(text) {
    this.#clearLine();
    this.output.write(text);
  }

  /** Prints the program's output line by line, each with a prefix. */
  #printOutput(text, stream) {
    const lines = RegExpSplit(/\r\n|\r|\n/g, this.#partialLines[stream] + text);
    this.#partialLines[stream] = lines[lines.length - 1] === '' ? '' : ArrayPop(lines);
    const shown = ArrayJoin(
      ArrayMap(lines, (line) => `< ${line}`),
      '\n',
    );
    if (lines.length > 0) {
      this.print(`${shown}\n`);
      if (this.#shows === 0) this.repl?.displayPrompt(true);
    }
    if (StringEndsWith(`${this.#partialLines[stream]}${ArrayJoin(lines, '\n')}`, LEFT))
      PromiseThen(this.client.whenIdle(), () => this.end());
  }

  /**
   * Prints output without a prompt between its lines. Commands wait until the output is printed, so that an empty line, which
   * repeats a step, never skips a pause that has not been shown.
   */
  async whileShowing(show) {
    this.#shows++;
    this.repl?.pause();
    try {
      await show();
    } catch (error) {
      if (error.code !== 'ERR_DEBUGGER_ERROR') throw error; // the program has ended meanwhile
    } finally {
      this.#shows--;
    }
    if (this.#shows > 0) return;
    this.repl?.resume();
    this.repl?.displayPrompt();
  }
}

/** Resolves when a newly started program waits for the debugger. */
async function awaitStart(client) {
  const waits = new Promise((resolve) => client.once('NodeRuntime.waitingForDebugger', resolve));
  const ends = new Promise((resolve) => client.once('close', () => resolve(true)));
  await client.call('NodeRuntime.enable');
  if (await PromiseRace([PromiseThen(waits, () => false), ends]))
    throw new codes.ERR_DEBUGGER_ERROR('Debugger session ended while waiting for target startup');
  await client.call('NodeRuntime.disable');
}

async function start(words) {
  const { process } = runtimeParts.process;
  if (words.length === 0 || words[0] === '--help' || words[0] === '-h') {
    const isRequested = words.length > 0;
    process[isRequested ? 'stdout' : 'stderr'].write(USAGE);
    process.exit(isRequested ? 0 : 9);
  }
  const debugged = new Debugged(targetOf(words));
  const end = () => process.exit(0);
  process.on('exit', () => debugged.end());
  for (const name of intact(['SIGTERM', 'SIGHUP'])) process.once(name, end);
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.code === 'ERR_DEBUGGER_STARTUP_ERROR' ? error.message : error.stack}\n`);
    process.exit(1);
  });
  const { View } = require('node/debugger/view');
  const view = new View(debugged);
  const { Recordings } = require('node/debugger/recordings');
  const recordings = new Recordings(view);
  debugged.input.resume();
  await debugged.begin(view);
  const repl = require('node/debugger/prompt').startPrompt(debugged, view, recordings);
  debugged.repl = repl;
  repl.on('exit', end);
}

module.exports = { start };
