'use strict';
// Owns: compose: several streams as one Duplex that writes to the first and reads from the last.

const { AnyCatch } = require('internal/any_kind');
const { ArrayForEach, intact } = require('internal/primordials');
const { AbortError, codes } = require('internal/errors/errors');
const kinds = require('internal/stream_kinds');
const { destroyer } = require('node/stream/destroy');
const { finished } = require('node/stream/finished');
const { run } = require('node/stream/pipeline');
const Duplex = require('node/stream/duplex');

const nothing = () => {};
const canRead = (stream) => kinds.isReadable(stream) || kinds.isReadableStream(stream) || kinds.isTransformStream(stream);
const canWrite = (stream) => kinds.isWritable(stream) || kinds.isWritableStream(stream) || kinds.isTransformStream(stream);

function compose(...streams) {
  if (streams.length === 0) throw new codes.ERR_MISSING_ARGS('streams');
  if (streams.length === 1) return Duplex.from(streams[0]);
  const stages = [...intact(streams)];
  const last = streams.length - 1;
  if (typeof streams[0] === 'function') streams[0] = Duplex.from(streams[0]);
  if (typeof streams[last] === 'function') streams[last] = Duplex.from(streams[last]);
  ArrayForEach(streams, (stream, index) => {
    if (!kinds.isNodeStream(stream) && !kinds.isWebStream(stream)) return;
    if (index < last && !canRead(stream))
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${index}]`, stages[index], 'must be readable');
    if (index > 0 && !canWrite(stream))
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${index}]`, stages[index], 'must be writable');
  });

  // Callbacks waiting for an event of the streams; each is called once.
  const waiting = { drain: null, finish: null, readable: null, close: undefined };
  const wake = (name, ...args) => {
    const callback = waiting[name];
    waiting[name] = null;
    callback?.(...intact(args));
    return Boolean(callback);
  };
  const head = streams[0];
  const tail = run(streams, (error) => {
    if (wake('close', error)) return;
    if (error) duplex.destroy(error);
    else if (!isReadable && !isWritable) duplex.destroy();
  });
  const isWritable = Boolean(canWrite(head));
  const isReadable = Boolean(canRead(tail));
  const duplex = new Duplex({
    writableObjectMode: Boolean(head?.writableObjectMode),
    readableObjectMode: Boolean(tail?.readableObjectMode),
    writable: isWritable,
    readable: isReadable,
  });
  if (isWritable) {
    if (kinds.isNodeStream(head)) writeToNode(duplex, head, waiting, wake);
    else writeToWeb(duplex, head, waiting);
    finished(kinds.isTransformStream(tail) ? tail.readable : tail, () => {
      wake('finish');
    });
  }
  if (isReadable) {
    if (kinds.isNodeStream(tail)) readFromNode(duplex, tail, waiting, wake);
    else readFromWeb(duplex, tail);
  }
  const destroy = (error, callback) => {
    if (!error && waiting.close !== null) error = new AbortError();
    waiting.readable = waiting.drain = waiting.finish = null;
    if (kinds.isNodeStream(tail)) destroyer(tail, error);
    if (waiting.close === null) callback(error);
    else waiting.close = callback;
  };
  duplex._destroy = destroy;
  return duplex;
}

function writeToNode(duplex, head, waiting, wake) {
  const write = (chunk, encoding, callback) => {
    if (head.write(chunk, encoding)) callback();
    else waiting.drain = callback;
  };
  duplex._write = write;
  const final = (callback) => {
    head.end();
    waiting.finish = callback;
  };
  duplex._final = final;
  head.on('drain', () => {
    wake('drain');
  });
}

function writeToWeb(duplex, head, waiting) {
  const writer = (kinds.isTransformStream(head) ? head.writable : head).getWriter();
  const write = async (chunk, encoding, callback) => {
    try {
      await writer.ready;
      AnyCatch(writer.write(chunk), nothing);
      callback();
    } catch (error) {
      callback(error);
    }
  };
  duplex._write = write;
  const final = async (callback) => {
    try {
      await writer.ready;
      AnyCatch(writer.close(), nothing);
      waiting.finish = callback;
    } catch (error) {
      callback(error);
    }
  };
  duplex._final = final;
}

function readFromNode(duplex, tail, waiting, wake) {
  tail.on('readable', () => {
    wake('readable');
  });
  tail.on('end', () => {
    duplex.push(null);
  });
  const read = () => {
    for (;;) {
      const chunk = tail.read();
      if (chunk === null) {
        waiting.readable = duplex._read;
        return;
      }
      if (!duplex.push(chunk)) return;
    }
  };
  duplex._read = read;
}

function readFromWeb(duplex, tail) {
  const reader = (kinds.isTransformStream(tail) ? tail.readable : tail).getReader();
  const read = async () => {
    for (;;) {
      try {
        const { value, done } = await reader.read();
        if (done) {
          duplex.push(null);
          return;
        }
        if (!duplex.push(value)) return;
      } catch {
        return; // reported by the pipeline
      }
    }
  };
  duplex._read = read;
}

module.exports = { compose, writeToNode, readFromNode };
