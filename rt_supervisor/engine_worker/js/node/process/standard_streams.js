'use strict';
// Owns: the stream types of process.stdin, stdout and stderr: file, pipe or terminal. They are created on first access;
// console.log needs none of them.

const { MapGet, MapHas, MapSet } = require('internal/primordials');
const native = host.native;

const streams = new Map();
const once = (make) => (descriptor) => {
  if (!MapHas(streams, descriptor)) MapSet(streams, descriptor, make(descriptor));
  return MapGet(streams, descriptor);
};

function makeWriter(descriptor) {
  const { StandardOutput, TerminalOutput } = require('node/process/standard_output');
  return native.core_isTerminal(descriptor) ? new TerminalOutput(descriptor) : new StandardOutput(descriptor);
}

function isFile(descriptor) {
  try {
    return require('node/fs/sync').fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

function makeReader(descriptor) {
  if (native.core_isTerminal(descriptor)) return new (require('node/process/standard_input').TerminalInput)(descriptor);
  if (isFile(descriptor)) {
    const { ReadStream } = require('node/fs/streams');
    return new ReadStream(null, { fd: descriptor, autoClose: false });
  }
  return new (require('node/process/standard_input').StandardInput)(descriptor);
}

module.exports = { writer: once(makeWriter), reader: once(makeReader) };
