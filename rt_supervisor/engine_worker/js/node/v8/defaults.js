'use strict';
// Owns: v8.DefaultSerializer and DefaultDeserializer, which encode typed arrays as Node does, and v8.serialize on top.

const { AnySlice } = require('internal/any_kind');
const { ArrayIndexOf, ObjectToString, StringSlice } = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');
const { asBuffer } = require('node/buffer/views');
const { Serializer } = require('node/v8/serializer');
const { Deserializer } = require('node/v8/deserializer');

const { native } = host;
const OF_V8 = 1; // the native module's number for the format of v8.serialize
const BUFFER = 10;
const CLASSES = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'DataView',
  'Buffer',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
];

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(abView) {
    const place = Buffer.isBuffer(abView) ? BUFFER : ArrayIndexOf(CLASSES, StringSlice(ObjectToString(abView), 8, -1));
    if (place < 0)
      throw this._getDataCloneError(`Unserializable host object: ${require('internal/inspect/inspect').inspect(abView)}`);
    this.writeUint32(place);
    this.writeUint32(abView.byteLength);
    this.writeRawBytes(new Uint8Array(abView.buffer, abView.byteOffset, abView.byteLength));
  }
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const name = CLASSES[this.readUint32()];
    const size = this.readUint32();
    const place = this.buffer.byteOffset + this._readRawBytes(size);
    const { buffer } = this.buffer;
    if (name === 'Buffer') return Buffer.from(buffer, place, size);
    const Class = globalThis[name];
    const unit = Class.BYTES_PER_ELEMENT ?? 1;
    if (place % unit === 0) return new Class(buffer, place, size / unit);
    return new Class(AnySlice(buffer, place, place + size), 0, size / unit); // its offset must be aligned
  }
}

/** Serializes a value with the structured clone algorithm. */
function serialize(value) {
  try {
    native.setBufferPrototype(Buffer.prototype);
    const bytes = native.cloneBytes(value, OF_V8);
    return asBuffer(bytes);
  } catch {
    // Uncloneable values and shared memory are left to the extensible class, which has its own errors.
  }
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function deserialize(buffer) {
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}

module.exports = { DefaultSerializer, DefaultDeserializer, serialize, deserialize };
