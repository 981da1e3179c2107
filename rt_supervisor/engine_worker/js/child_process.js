'use strict';
// Owns: node:child_process, as far as it is there: what waits for the process (spawnSync, execFileSync, execSync).

const native = host.native;
const { validateString, validateObject, validateInteger } = require('./validators');
const { codes } = require('./errors');
const MOST_BYTES = 1024 * 1024;

function argumentsOf(args, options) {
  if (Array.isArray(args)) return [args, options];
  if (args === undefined || args === null) return [[], options];
  return [[], args];
}

function stdioOf(stdio) {
  const three = stdio === undefined || stdio === null ? [] : typeof stdio === 'string' ? [stdio, stdio, stdio] : [...stdio];
  return [0, 1, 2].map((place) => {
    const word = three[place] ?? 'pipe';
    if (word === 'pipe' || word === 'ignore' || typeof word === 'number') return word;
    if (word === 'inherit') return place;
    if (typeof word?.fd === 'number') return word.fd;
    throw new codes.ERR_INVALID_ARG_VALUE('stdio', word);
  });
}

function inputOf(input) {
  if (input === undefined || input === null) return new Uint8Array(0);
  return typeof input === 'string' ? native.encodeUtf8(input) : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
}

const environmentOf = (env) => Object.fromEntries(Object.entries(env ?? globalThis.process.env)
  .filter(([, value]) => value !== undefined).map(([name, value]) => [name, `${value}`]));

const folderOf = (cwd) => (cwd === undefined || cwd === null ? null : cwd instanceof globalThis.URL ? require('./file_url_host').fileURLToPath(cwd) : `${cwd}`);

function signalNumber(signal) {
  if (typeof signal === 'number') return signal;
  const { NUMBERS } = require('./signals');
  if (signal === undefined || signal === null) return NUMBERS.SIGTERM;
  const number = NUMBERS[`${signal}`.toUpperCase()];
  if (number === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  return number;
}

function signalName(number) {
  const { NUMBERS } = require('./signals');
  return Object.keys(NUMBERS).find((name) => NUMBERS[name] === number) ?? `SIG${number}`;
}

function spawnSync(file, args, options) {
  validateString(file, 'file');
  if (file === '') throw new codes.ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  [args, options] = argumentsOf(args, options);
  options ??= {};
  validateObject(options, 'options');
  if (options.timeout !== undefined) validateInteger(options.timeout, 'timeout', 0);
  let argv = [options.argv0 ?? file, ...args.map(String)];
  let program = file;
  if (options.shell) {
    program = typeof options.shell === 'string' ? options.shell : '/bin/sh';
    argv = [program, '-c', [file, ...args].join(' ')];
  }
  const most = options.maxBuffer ?? MOST_BYTES;
  const ran = native.children_run({
    file: program, argv, environment: environmentOf(options.env), folder: folderOf(options.cwd), stdio: stdioOf(options.stdio),
    timeout: options.timeout ?? 0, most: most === Infinity ? -1 : most, signal: signalNumber(options.killSignal),
  }, inputOf(options.input));
  const output = (bytes) => {
    if (bytes === null || bytes === undefined) return null;
    const buffer = globalThis.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return options.encoding && options.encoding !== 'buffer' ? buffer.toString(options.encoding) : buffer;
  };
  const started = ran.pid !== 0;
  const result = {
    status: ran.status ?? null,
    signal: ran.signal ? signalName(ran.signal) : null,
    output: started ? [null, output(ran.stdout), output(ran.stderr)] : null,
    pid: ran.pid,
  };
  result.stdout = started ? result.output[1] : undefined;
  result.stderr = started ? result.output[2] : undefined;
  if (!ran.error) return result;
  const [code, number] = ran.error;
  const syscall = `spawnSync ${program}`;
  const error = Object.assign(new Error(`${syscall} ${code}`), { errno: -number, code, syscall, path: program, spawnargs: argv.slice(1) });
  return { error, ...result };
}

/** The output of a process that must succeed; its complaints go to stderr unless `stdio` says otherwise. */
function checked(result, command, options) {
  if (options?.stdio === undefined && result.stderr?.length > 0) {
    native.core_write(2, typeof result.stderr === 'string' ? result.stderr : native.decodeUtf8(result.stderr));
  }
  if (result.error) throw Object.assign(result.error, result);
  if (result.status === 0) return result.stdout;
  const said = result.stderr?.length > 0 ? `\n${result.stderr.toString()}` : '';
  throw Object.assign(new Error(`Command failed: ${command}${said}`), result);
}

function execFileSync(file, args, options) {
  [args, options] = argumentsOf(args, options);
  return checked(spawnSync(file, args, options), [file, ...args].join(' '), options);
}

function execSync(command, options) {
  validateString(command, 'command');
  return checked(spawnSync(command, [], { ...options, shell: options?.shell ?? true }), command, options);
}

module.exports = { spawnSync, execFileSync, execSync };
