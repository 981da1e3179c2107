// @ts-check
'use strict';
// Owns: the symbols for internal state of messages, and constants of bodies.

const { Buffer } = require('node/buffer/buffer');

const kOutHeaders = Symbol('kOutHeaders');
const kNeedDrain = Symbol('kNeedDrain');
const kCorked = Symbol('corked');
const kChunkedBuffer = Symbol('kChunkedBuffer');
const kChunkedLength = Symbol('kChunkedLength');
const kUniqueHeaders = Symbol('kUniqueHeaders');
const kSocket = Symbol('kSocket');
const kBytesWritten = Symbol('kBytesWritten');
const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('kHighWaterMark');
const kRejectNonStandardBodyWrites = Symbol('kRejectNonStandardBodyWrites');
const kTimed = Symbol('kTimed'); // ends its perf_hooks entry

const CRLF = Buffer.from('\r\n');
const HIGH_WATER_MARK = 64 * 1024;

module.exports = {
  CRLF,
  HIGH_WATER_MARK,
  kOutHeaders,
  kNeedDrain,
  kCorked,
  kChunkedBuffer,
  kChunkedLength,
  kUniqueHeaders,
  kSocket,
  kBytesWritten,
  kErrored,
  kHighWaterMark,
  kRejectNonStandardBodyWrites,
  kTimed,
};
