'use strict';
// Owns: RT.$: shell commands in template literals; an interpolated value is one word, whatever it contains. rt's own shell runs
// the text in a child process (`rt shell --template`); rt/shell/template.js converts the template, rt/shell/output.js holds the
// results.

const runtimeParts = require('internal/parts');
const { intactAsync } = require('internal/async_iteration');
const { PromiseAll } = require('internal/promises');
const {
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  MathMin,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectEntries,
  PromiseThen,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringToUpperCase,
  TypedArraySet,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { shellText } = require('rt/shell/template');
const { ShellOutput, ShellError } = require('rt/shell/output');
const { braces, escape } = require('rt/shell/words');

const FIRST_OUTPUT = 3; // after the standard streams
const SYNTAX_ERROR = 2; // the status of the child; its stderr is then this mark and the message
const SYNTAX_MARK = '\0syntax\0';
const LONGEST_ARGUMENT = 100_000; // bytes; Linux limits an argument to 128 KiB

/** The settings of a `$` function. */
class Defaults {
  cwd;
  env;
  throws = true;
}

class ShellPromise extends Promise {
  #text;
  #settle;
  #isStarted = false;
  #cwd;
  #env;
  #throws;
  #isQuiet = false;

  constructor(text, defaults) {
    if (typeof text === 'function') {
      // `then` returns an ordinary promise
      super(text);
      this.#isStarted = true;
      return;
    }
    let settle;
    super((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.#settle = settle;
    this.#text = text;
    this.#cwd = defaults.cwd;
    this.#env = defaults.env;
    this.#throws = defaults.throws;
  }

  static get [Symbol.species]() {
    return Promise;
  }

  cwd(folder) {
    this.#cwd = folder === undefined || folder === '' || folder === '.' ? undefined : `${folder}`;
    return this.#checkUnstarted();
  }
  env(variables) {
    this.#env = variables;
    return this.#checkUnstarted();
  }
  quiet(isQuiet = true) {
    this.#isQuiet = Boolean(isQuiet);
    return this.#checkUnstarted();
  }
  nothrow() {
    this.#throws = false;
    return this;
  }
  throws(doesThrow = true) {
    this.#throws = Boolean(doesThrow);
    return this;
  }
  #checkUnstarted() {
    if (this.#isStarted) throw new Error('Shell is already running');
    return this;
  }

  async text(encoding) {
    return (await this.#silent()).text(encoding);
  }
  async json() {
    return (await this.#silent()).json();
  }
  async arrayBuffer() {
    return (await this.#silent()).arrayBuffer();
  }
  async bytes() {
    return (await this.#silent()).bytes();
  }
  async blob() {
    return (await this.#silent()).blob();
  }
  async *lines() {
    const output = await this.#silent();
    yield* intact(StringSplit(output.text(), '\n'));
  }
  #silent() {
    if (!this.#isStarted) this.#isQuiet = true;
    return this;
  }

  /** Starts the command without awaiting it. */
  run() {
    if (!this.#isStarted) {
      this.#isStarted = true;
      PromiseThen(this.#run(), this.#settle.resolve, this.#settle.reject);
    }
    return this;
  }
  then(onFulfilled, onRejected) {
    this.run();
    return super.then(onFulfilled, onRejected);
  }

  async #run() {
    const text = await this.#text.prepare();
    try {
      const { stdout, stderr, exitCode } = await this.#child(text);
      if (exitCode === SYNTAX_ERROR && isProblem(stderr)) throw new Error(stderr.toString('utf8', SYNTAX_MARK.length));
      if (exitCode !== 0 && this.#throws) throw new ShellError(stdout, stderr, exitCode);
      return new ShellOutput(stdout, stderr, exitCode);
    } finally {
      this.#text.close();
    }
  }

  async #child(text) {
    const { spawn } = require('rt/spawn/spawn');
    const { OUTPUT_PIPE } = require('rt/spawn/options');
    const { outputs } = this.#text;
    const { process } = runtimeParts.process;
    const isLong = require('node/buffer/buffer').Buffer.byteLength(text) > LONGEST_ARGUMENT;
    const words = isLong ? [this.#text.file(text)] : ['-c', text];
    const folder = this.#cwd ?? process.cwd();
    if (this.#cwd !== undefined) checkFolder(folder);
    const child = spawn([process.execPath, 'shell', '--template', ...intact(words), ...intact(ArrayMap(process.argv, String))], {
      cwd: folder,
      env: this.#env ?? process.env,
      stdio: ['inherit', 'pipe', 'pipe', ...intact(ArrayMap(outputs, () => OUTPUT_PIPE))],
    });
    const filling = ArrayMap(outputs, (bytes, place) => fillFromPipe(bytes, child.stdio[FIRST_OUTPUT + place]));
    const { 0: stdout, 1: stderr } = await PromiseAll([
      readAll(child.stdout, this.#isQuiet ? null : process.stdout),
      readAll(child.stderr, this.#isQuiet ? null : process.stderr),
    ]);
    await PromiseAll(filling);
    return { stdout, stderr, exitCode: await child.exited };
  }
}

/** Throws if commands cannot begin in a folder. */
function checkFolder(folder) {
  const fs = require('node/fs/fs');
  try {
    fs.accessSync(folder);
  } catch (error) {
    const { getSystemErrorMessage } = require('internal/errors/errno');
    const words = getSystemErrorMessage(error.errno);
    const message = `${StringToUpperCase(words[0])}${StringSlice(words, 1)}`;
    throw ObjectAssign(new Error(message), { path: folder, syscall: 'chdir', errno: error.errno, code: error.code });
  }
}

/** Fills `bytes` from a pipe that a child writes. A full array closes the pipe, which fails further writes. */
async function fillFromPipe(bytes, descriptor) {
  const { ChildReader } = require('rt/spawn/child_reader');
  let size = 0;
  for await (const block of intactAsync(new ChildReader(descriptor, Infinity).stream)) {
    TypedArraySet(bytes, TypedArraySubarray(block, 0, bytes.length - size), size);
    size = MathMin(bytes.length, size + block.length);
    if (size === bytes.length) break;
  }
}

/** Whether the output of a child is the message of a syntax error. */
const isProblem = (bytes) => StringStartsWith(require('node/buffer/buffer').Buffer.from(bytes).toString('latin1'), SYNTAX_MARK);

/** Collects all bytes of `stream`, and copies them to `echo` as they arrive, except the message of a syntax error. */
async function readAll(stream, echo) {
  const chunks = [];
  for await (const chunk of intactAsync(stream)) {
    ArrayPush(chunks, chunk);
    if (chunks.length > 1 || chunk[0] !== 0 || !isProblem(chunk)) echo?.write(chunk);
  }
  return require('node/buffer/buffer').Buffer.concat(chunks);
}

/** Creates a `$` function with its own settings. */
function makeShell(name) {
  const defaults = new Defaults();
  const shell = {
    [name](strings, ...values) {
      if (!ArrayIsArray(strings?.raw)) throw new Error("Please use '$' as a tagged template function: $`cmd arg1 arg2`");
      return new ShellPromise(shellText(strings.raw, values), defaults);
    },
  }[name];
  const settings = {
    cwd(folder) {
      defaults.cwd = folder === undefined || folder === '' || folder === '.' ? undefined : `${folder}`;
      return shell;
    },
    env(variables) {
      defaults.env = variables;
      return shell;
    },
    nothrow() {
      defaults.throws = false;
      return shell;
    },
    throws(doesThrow = true) {
      defaults.throws = Boolean(doesThrow);
      return shell;
    },
  };
  for (const { 0: key, 1: value } of intact(ObjectEntries(settings))) {
    ObjectDefineProperty(shell, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
  return shell;
}

function Shell() {
  if (new.target === undefined) throw new TypeError("Class constructor Shell cannot be invoked without 'new'");
  return makeShell('Shell');
}

const $ = makeShell('RTShell');
ObjectAssign($, { Shell, ShellPromise, ShellError, braces, escape });

module.exports = { $ };
