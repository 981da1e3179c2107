// @ts-check
'use strict';
// Owns: the class of `_handle` of zlib streams, for packages that construct handles with it
// (`createInflate()._handle.constructor`, as ssh2 does) or write to a stream's handle (as pngjs does): input and output are
// ranges of buffers, and the remaining counts of both are written to an array of the program.

const { TypedArraySet, TypedArraySubarray, intact } = require('internal/primordials');
const { Handle, libraryError, open } = require('internal/zlib/handle');
const { closeHandle, kError } = require('node/zlib/base');
const { hostKindOf } = require('node/zlib/modes');

const EMPTY = new Uint8Array(0);

class Zlib extends Handle {
  #mode;
  #state;
  #processed;

  constructor(mode) {
    super(undefined);
    this.#mode = mode;
  }

  /** `state` receives the free output bytes and the remaining input bytes; `processed` is called after a `write`. */
  init(windowBits, level, memLevel, strategy, state, processed, dictionary) {
    const { kind, bits } = hostKindOf(this.#mode, windowBits);
    this.number = open(kind, { windowBits: bits, level, memLevel, strategy, isSingle: false }, dictionary).number;
    this.#state = state;
    this.#processed = processed;
  }

  writeSync(flush, input, inputPlace, inputLength, output, outputPlace, outputLength) {
    const data = inputRange(input, inputPlace, inputLength);
    this.#reportResult(this.run(data, flush, outputLength), output, outputPlace, outputLength);
  }

  write(flush, input, inputPlace, inputLength, output, outputPlace, outputLength) {
    const data = inputRange(input, inputPlace, inputLength);
    this.runLater(data, flush, outputLength, (answer) => {
      if (this.#reportResult(answer, output, outputPlace, outputLength)) this.#processed();
    });
  }

  #reportResult(answer, output, place, length) {
    put(answer, this.#state, output, place, length);
    const { 3: message, 4: errno, 5: code } = answer;
    return this.#isRight([message, errno, code]);
  }

  #isRight({ 0: message, 1: errno, 2: code }) {
    if (message === null) return true;
    this.onerror(message, errno, code);
    return false;
  }

  params(level, strategy) {
    this.#isRight(intact(super.params(level, strategy) ?? [null]));
  }

  reset() {
    this.#isRight(intact(super.reset()));
  }
}

const inputRange = (input, place, length) => (input ? TypedArraySubarray(input, place, place + length) : EMPTY);

/** Copies the output to `output` and the remaining counts to `state`. */
function put({ 0: bytes, 1: left }, state, output, place, length) {
  TypedArraySet(output, bytes, place);
  state[0] = length - bytes.length;
  state[1] = left;
}

/** `writeSync` of a stream's handle. */
function writeOf(engine, flush, input, inputPlace, inputLength, output, outputPlace, outputLength) {
  const answer = engine._handle.run(inputRange(input, inputPlace, inputLength), flush, outputLength);
  put(answer, engine._writeState, output, outputPlace, outputLength);
  const { 3: message, 4: errno, 5: code } = answer;
  if (message === null) return;
  const error = libraryError(message, errno, code);
  closeHandle(engine);
  engine.destroy(error);
  engine[kError] = error;
}

module.exports = { Zlib, writeOf };
