'use strict';
// Owns: --cpu-prof and --heap-prof: the engine samples from the program's start, and at exit the profile is written to a file
// for browsers' developer tools, or as a Markdown page (--cpu-prof-md, --heap-prof-md). A worker writes its own files.

const {
  ArrayFind,
  ArrayJoin,
  ArrayPush,
  JSONStringify,
  NumberIsInteger,
  RegExpExec,
  StringPadStart,
  StringReplace,
  intact,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');

const KINDS = {
  __proto__: null,
  cpu: {
    __proto__: null,
    domain: 'Profiler',
    prefix: 'CPU',
    interval: 1000, // microseconds
    start(post, interval) {
      post('Profiler.setSamplingInterval', { interval });
      post('Profiler.start');
    },
    stop: 'Profiler.stop',
  },
  heap: {
    __proto__: null,
    domain: 'HeapProfiler',
    prefix: 'Heap',
    interval: 512 * 1024, // bytes
    start: (post, samplingInterval) => post('HeapProfiler.startSampling', { samplingInterval }),
    stop: 'HeapProfiler.stopSampling',
  },
};
// Pages are made of the samples too, except that of the heap, which shows what is alive at the end.
const needsSamples = (kind, form) => kind === 'cpu' || form !== 'md';
let session;
let written = 0;
const running = []; // { kind, every, forms, isSampled, folder, name }

function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

/** The value of the last flag with that name. */
function valueOf(words, flag) {
  const pattern = new RegExp(`^--${flag}(?:=(.*))?$`, 's');
  let value;
  for (let index = 0; index < words.length; index++) {
    const match = RegExpExec(pattern, words[index]);
    if (match !== null) value = match[1] ?? words[index + 1];
  }
  return value;
}

/** Requests a profile; `words` are the flags, `kind` is "cpu" or "heap". With `form` "md" the profile is a Markdown page. */
function begin(kind, words, form = `${kind}profile`) {
  let wanted = ArrayFind(running, (each) => each.kind === kind);
  if (wanted === undefined) {
    wanted = prepare(kind, words);
    ArrayPush(running, wanted);
  }
  ArrayPush(wanted.forms, form);
  if (wanted.isSampled || !needsSamples(kind, form)) return;
  wanted.isSampled = true;
  post(`${KINDS[kind].domain}.enable`);
  KINDS[kind].start(post, wanted.every);
}

function prepare(kind, words) {
  const { interval } = KINDS[kind];
  const value = Number(valueOf(words, `${kind}-prof-interval`) ?? interval);
  const { resolve } = require('node/path/path');
  const folder = valueOf(words, `${kind}-prof-dir`) ?? valueOf(words, 'diagnostic-dir') ?? '';
  if (session === undefined) {
    session = new (require('node/inspector/session').Session)();
    session.connect();
    runtimeParts.profiles = { __proto__: null, end };
  }
  const every = NumberIsInteger(value) && value > 0 ? value : interval;
  const name = valueOf(words, `${kind}-prof-name`);
  return { __proto__: null, kind, every, forms: [], isSampled: false, folder: resolve(folder), name };
}

/** The text of a file. */
function textOf(kind, form, profile, every) {
  if (form !== 'md') return JSONStringify(profile);
  if (kind === 'cpu') return require('node/process/cpu_report').cpuReport(profile, every);
  return require('node/process/heap_report').heapReport(ArrayJoin(require('node/v8/diagnostics').snapshotPieces(), ''));
}

const two = (number) => StringPadStart(String(number), 2, '0');

/** The default file name: kind, time, process and thread. */
function usualName(prefix) {
  const now = new Date();
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const thread = runtimeParts.worker?.self.threadId ?? 0;
  return `${prefix}.${day}.${time}.${runtimeParts.process.process.pid}.${thread}.${StringPadStart(String(++written), 3, '0')}`;
}

/** Stops and writes the profiles at exit. */
function end() {
  if (session === undefined) return;
  const fs = require('node/fs/sync');
  for (const { kind, every, forms, isSampled, folder, name } of intact(running)) {
    const { prefix, stop } = KINDS[kind];
    const base = name === undefined ? usualName(prefix) : StringReplace(name, '${pid}', `${runtimeParts.process.process.pid}`);
    try {
      const profile = isSampled ? post(stop).profile : undefined;
      fs.mkdirSync(folder, { recursive: true });
      for (const form of intact(forms)) {
        // A given name is that of the one file, or of the first of two.
        const file = name === undefined || form !== forms[0] ? `${base}.${form}` : base;
        fs.writeFileSync(`${folder}/${file}`, textOf(kind, form, profile, every));
        if (form === 'md' && kind === 'heap')
          runtimeParts.process.process.stderr.write(`Heap profile written to: ${folder}/${file}\n`);
      }
    } catch (error) {
      runtimeParts.process.process.stderr.write(`rt: --${kind}-prof: ${error.message}\n`);
    }
  }
  session.disconnect();
  session = undefined;
}

module.exports = { begin };
