// Lazily loaded members behave as data properties: they can be wrapped, replaced and restored like others.
'use strict';
const module_ = require('node:module');

const kind = (object, name) => {
  const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(object, name) ?? {};
  return [typeof value, typeof get, typeof set, ...Object.keys(flags).filter((flag) => flags[flag])].join(' ');
};
const MEMBERS = {
  buffer: ['Blob', 'File', 'atob', 'btoa', 'isAscii', 'isUtf8', 'resolveObjectURL', 'transcode'],
  child_process: ['ChildProcess', 'exec', 'execFile', 'fork', 'spawn', 'spawnSync'],
  cluster: ['schedulingPolicy'],
  console: ['Console'],
  dns: ['Resolver', 'lookup'],
  'dns/promises': ['Resolver'],
  fs: ['createReadStream', 'createWriteStream', 'readFile', 'watch'],
  https: ['globalAgent', 'request'],
  module: ['globalPaths'],
  readline: ['createInterface', 'promises'],
  'stream/web': ['ReadableStream', 'TransformStream', 'WritableStream', 'CompressionStream', 'TextDecoderStream'],
  tty: ['ReadStream', 'WriteStream', 'isatty'],
  url: ['URLPattern', 'URL'],
  util: ['MIMEParams', 'MIMEType', 'TextDecoder', 'TextEncoder', 'inspect'],
  v8: ['DefaultDeserializer', 'DefaultSerializer', 'Deserializer', 'GCProfiler', 'Serializer', 'getHeapSnapshot', 'startupSnapshot'],
  worker_threads: ['Worker', 'locks', 'MessageChannel'],
};
for (const [name, members] of Object.entries(MEMBERS)) {
  const exported = require(`node:${name}`);
  for (const member of members) console.log(name, member, kind(exported, member));
}
const GLOBALS = ['BroadcastChannel', 'Blob', 'CompressionStream', 'Crypto', 'CustomEvent', 'DOMException', 'FormData', 'Headers'];
GLOBALS.push('MessageChannel', 'PerformanceEntry', 'ReadableStreamBYOBReader', 'Storage', 'TextEncoder', 'TransformStream', 'URLPattern');
GLOBALS.push('WritableStream', 'atob', 'btoa', 'fetch', 'structuredClone', 'Buffer', 'performance');
for (const name of GLOBALS) console.log('global', name, kind(globalThis, name));

// Wrapped as test libraries do, then restored.
const fs = require('node:fs');
const before = Object.getOwnPropertyDescriptor(fs, 'createWriteStream');
Object.defineProperty(fs, 'createWriteStream', { ...before, value: () => 'wrapped' });
console.log(fs.createWriteStream(), kind(fs, 'createWriteStream'));
Object.defineProperty(fs, 'createWriteStream', before);
console.log(fs.createWriteStream === before.value, Object.keys(fs).indexOf('createWriteStream') > 0);

// Written, deleted and replaced before the first read; strict-mode code may write all of them.
const v8 = require('node:v8');
v8.takeCoverage = 1;
delete v8.stopCoverage;
Object.defineProperty(v8, 'queryObjects', { get: () => 'of a getter' });
console.log(v8.takeCoverage, 'stopCoverage' in v8, v8.queryObjects, kind(v8, 'takeCoverage'), kind(v8, 'queryObjects'));
globalThis.CountQueuingStrategy = 2;
console.log(CountQueuingStrategy, kind(globalThis, 'CountQueuingStrategy'));
{
  const { exec } = require('node:child_process');
  require('node:child_process').exec = 3;
  console.log(typeof exec, require('node:child_process').exec);
}

// Inherited, copied, frozen.
const heir = Object.create(require('node:util'));
console.log(typeof heir.MIMEType, Object.hasOwn(heir, 'MIMEType'), heir.MIMEType === require('node:util').MIMEType);
heir.MIMEParams = 4;
console.log(heir.MIMEParams, typeof require('node:util').MIMEParams);
console.log(typeof { ...require('node:tty') }.ReadStream);
const frozen = Object.freeze(require('node:stream/web'));
console.log(kind(frozen, 'CountQueuingStrategy'), typeof frozen.TextEncoderStream);
try {
  frozen.TextEncoderStream = 5;
} catch (error) {
  console.log(error.name);
}

// Imports see later changes.
import('node:child_process').then((namespace) => {
  console.log(namespace.exec, typeof namespace.fork);
  require('node:child_process').fork = 6;
  module_.syncBuiltinESMExports();
  console.log(namespace.fork, namespace.default.fork);
});

// The value is the same whichever way it is reached, also in a worker.
const SAME = `[require('node:url').URL === URL, require('node:util').TextEncoder === TextEncoder, require('node:buffer').Blob === Blob,
  require('node:perf_hooks').PerformanceMark === PerformanceMark, typeof require('node:fs').createReadStream, typeof fetch].join()`;
console.log(eval(SAME));
const { Worker } = require('node:worker_threads');
new Worker(`require('node:worker_threads').parentPort.postMessage(${SAME})`, { eval: true }).on('message', (said) => console.log('worker', said));
