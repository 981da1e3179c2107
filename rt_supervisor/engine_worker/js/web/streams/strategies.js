// @ts-check
'use strict';
// Owns: ByteLengthQueuingStrategy and CountQueuingStrategy (Streams standard §7.2, §7.3).

const { ObjectDefineProperty } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { finish, objectOf, wrongReceiver } = require('web/streams/basics');

const byteLengthSize = ObjectDefineProperty((chunk) => chunk.byteLength, 'name', { __proto__: null, value: 'size' });
const countSize = ObjectDefineProperty(() => 1, 'name', { __proto__: null, value: 'size' });

function markOf(init) {
  if (init === null || typeof init !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('init', 'Object', init);
  if (init.highWaterMark === undefined) throw new codes.ERR_MISSING_OPTION('init.highWaterMark');
  return Number(init.highWaterMark);
}

class ByteLengthQueuingStrategy {
  #highWaterMark;
  constructor(init) {
    this.#highWaterMark = markOf(init);
  }
  get highWaterMark() {
    if (!(#highWaterMark in objectOf(this))) throw wrongReceiver('ByteLengthQueuingStrategy');
    return this.#highWaterMark;
  }
  get size() {
    if (!(#highWaterMark in objectOf(this))) throw wrongReceiver('ByteLengthQueuingStrategy');
    return byteLengthSize;
  }
}
class CountQueuingStrategy {
  #highWaterMark;
  constructor(init) {
    this.#highWaterMark = markOf(init);
  }
  get highWaterMark() {
    if (!(#highWaterMark in objectOf(this))) throw wrongReceiver('CountQueuingStrategy');
    return this.#highWaterMark;
  }
  get size() {
    if (!(#highWaterMark in objectOf(this))) throw wrongReceiver('CountQueuingStrategy');
    return countSize;
  }
}
finish(ByteLengthQueuingStrategy, 'ByteLengthQueuingStrategy');
finish(CountQueuingStrategy, 'CountQueuingStrategy');

module.exports = { ByteLengthQueuingStrategy, CountQueuingStrategy };
