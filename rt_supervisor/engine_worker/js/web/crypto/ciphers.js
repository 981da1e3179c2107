// @ts-check
'use strict';
// Owns: encryption and wrapping with CryptoKeys.

const { AnySubarray } = require('internal/any_kind');
const {
  MathCeil,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  TypedArrayFill,
  TypedArraySet,
  intact,
} = require('internal/primordials');
const { callAsync } = require('internal/crypto/binding');
const { bufferOf } = require('internal/crypto/input');
const { digestName } = require('web/crypto/algorithms');
const { slotsOf } = require('web/crypto/key');
const { awaitOperation, failure, operationError } = require('web/crypto/problems');

const WRAP_IV = TypedArrayFill(new Uint8Array(8), 0xa6);
const BLOCK = 16;

const call = (name, key, iv, data, encrypts, more = []) =>
  awaitOperation(callAsync('cipher_once', [name, key, iv, data, encrypts, ...intact(more)]));

function toBig(bytes) {
  let sum = 0n;
  for (let i = 0; i < bytes.length; i++) sum = sum * 256n + BigInt(bytes[i]);
  return sum;
}
function toBytes(number) {
  const bytes = new Uint8Array(BLOCK);
  for (let i = BLOCK - 1; i >= 0; i--, number >>= 8n) bytes[i] = Number(number & 255n);
  return bytes;
}

/** Counter mode with a counter in the last `length` bits only: if it wraps, a second part is encrypted from counter zero. */
async function counterMode(name, key, { counter, length }, data) {
  const size = 1n << BigInt(length);
  const whole = toBig(counter);
  const start = whole % size;
  const blocks = BigInt(MathCeil(data.length / BLOCK));
  if (blocks > size) throw operationError();
  const before = size - start;
  if (blocks <= before) return call(name, key, counter, data, true);
  const cut = Number(before) * BLOCK;
  const first = await call(name, key, counter, AnySubarray(data, 0, cut), true);
  const second = await call(name, key, toBytes(whole - start), AnySubarray(data, cut), true);
  const both = new Uint8Array(first.length + second.length);
  TypedArraySet(both, first);
  TypedArraySet(both, second, first.length);
  return both;
}

async function run(encrypts, algorithm, key, data) {
  const { handle, algorithm: own } = slotsOf(key);
  const { name } = algorithm;
  if (name === 'RSA-OAEP') {
    if (handle.type !== (encrypts ? 'public' : 'private')) {
      throw failure('The requested operation is not valid for the provided key', 'InvalidAccessError');
    }
    const what = encrypts ? 'publicEncrypt' : 'privateDecrypt';
    return awaitOperation(callAsync('asymmetric', [what, handle.number, data, 4, digestName(own.hash.name), algorithm.label]));
  }
  const secret = handle.bytes();
  const bits = secret.length * 8;
  switch (name) {
    case 'AES-CBC':
      return call(`aes-${bits}-cbc`, secret, algorithm.iv, data, encrypts);
    case 'AES-CTR':
      return counterMode(`aes-${bits}-ctr`, secret, algorithm, data);
    case 'AES-KW':
      return call(`id-aes${bits}-wrap`, secret, WRAP_IV, data, encrypts);
    default: {
      const tag = (algorithm.tagLength ?? 128) / 8;
      if (!encrypts && data.length < tag) throw failure('The provided data is too small.', 'OperationError');
      const cipher = StringStartsWith(name, 'ChaCha')
        ? 'chacha20-poly1305'
        : `aes-${bits}-${StringToLowerCase(StringSlice(name, 4))}`;
      return call(cipher, secret, algorithm.iv, data, encrypts, [algorithm.additionalData, tag]);
    }
  }
}

const encrypt = async (algorithm, key, data) => bufferOf(await run(true, algorithm, key, data));
const decrypt = async (algorithm, key, data) => bufferOf(await run(false, algorithm, key, data));

module.exports = { encrypt, decrypt };
