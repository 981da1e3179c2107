// SubtleCrypto.supports: every operation with every algorithm, its parameters, lengths and additional algorithms.
import { inspect } from 'node:util';
const b = (n) => new Uint8Array(n);
const log = (...values) => process.stdout.write(`${values.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const subtle = crypto.subtle;
const keys = {};
for (const namedCurve of ['P-256', 'P-384', 'P-521'])
  keys[namedCurve] = (await subtle.generateKey({ name: 'ECDH', namedCurve }, true, ['deriveBits'])).publicKey;
for (const name of ['X25519', 'X448']) keys[name] = (await subtle.generateKey(name, true, ['deriveBits'])).publicKey;
const own = (await subtle.generateKey('X25519', true, ['deriveBits'])).privateKey;
const rsa = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
const named = (name, ...forms) => [name, ...forms.map((form) => ({ name, ...form }))];
const hashes = ['SHA-1', 'sha-256', 'SHA-512', 'SHA3-256', 'sha-x', 'cSHAKE128', null, {}, { name: 'SHA-384' }];
const hashed = hashes.map((hash) => ({ hash }));
const aes = [0, 128, 192, 256, 127, 65536, -1].map((length) => ({ length }));
const aead = [
  { iv: b(12) },
  { iv: b(0) },
  { iv: b(15) },
  { iv: b(16) },
  ...[0, 32, 64, 96, 104, 128, 136, 256].map((tagLength) => ({ iv: b(12), tagLength })),
  { iv: b(12), additionalData: b(3) },
  { iv: 'x' },
];
const algorithms = [
  ...['AES-CBC', 'AES-CTR', 'AES-GCM', 'AES-OCB', 'AES-KW', 'ChaCha20-Poly1305'].flatMap((name) =>
    named(name, ...aes, ...aead, { counter: b(16), length: 64 }, { counter: b(16), length: 0 }, { counter: b(15), length: 64 }),
  ),
  ...['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP'].flatMap((name) =>
    named(
      name,
      ...hashed,
      ...hashed.map((each) => ({ ...rsa, ...each })),
      { saltLength: 20 },
      { saltLength: -1 },
      { label: b(3) },
      { label: 3 },
      { ...rsa, modulusLength: 511, hash: 'SHA-1' },
      { ...rsa, publicExponent: new Uint8Array([1]), hash: 'SHA-1' },
      { ...rsa, publicExponent: new Uint8Array([4]), hash: 'SHA-1' },
      { ...rsa, publicExponent: new Uint8Array([1, 0, 0, 0, 1]), hash: 'SHA-1' },
      { ...rsa, publicExponent: [1, 0, 1], hash: 'SHA-1' },
    ),
  ),
  ...['ECDSA', 'ECDH'].flatMap((name) =>
    named(name, ...hashed, ...['P-256', 'P-384', 'P-521', 'p-256', 'K-256'].map((namedCurve) => ({ namedCurve }))),
  ),
  ...['ECDH', 'X25519', 'X448'].flatMap((name) =>
    named(name, ...Object.values(keys).map((key) => ({ public: key })), { public: own }, { public: {} }),
  ),
  ...['Ed25519', 'Ed448', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'].flatMap((name) =>
    named(name, { context: b(0) }, { context: b(255) }, { context: b(256) }),
  ),
  ...named('HMAC', ...hashed, ...[0, 1, 8, 256, 511].map((length) => ({ hash: 'SHA-256', length })), { hash: 'SHA3-256', length: 256 }),
  ...['KMAC128', 'KMAC256'].flatMap((name) =>
    named(
      name,
      ...[0, 7, 8, 256].map((length) => ({ length })),
      ...[0, 7, 8, 256, -1].map((outputLength) => ({ outputLength })),
      { outputLength: 8, customization: b(3) },
      { outputLength: 8, customization: 'x' },
    ),
  ),
  ...named('HKDF', ...hashed.map((each) => ({ ...each, salt: b(3), info: b(3) })), { hash: 'SHA-1', salt: b(3), info: b(1025) }),
  ...named(
    'PBKDF2',
    ...hashed.map((each) => ({ ...each, salt: b(3), iterations: 3 })),
    ...[0, 2 ** 31 - 1, 2 ** 31, 2 ** 32].map((iterations) => ({ hash: 'SHA-1', salt: b(3), iterations })),
  ),
  ...['Argon2d', 'Argon2i', 'Argon2id'].flatMap((name) =>
    named(
      name,
      ...[
        {},
        { nonce: b(7) },
        { parallelism: 0 },
        { parallelism: 2 ** 24 },
        { memory: 7 },
        { memory: 15, parallelism: 2 },
        { passes: 0 },
        { version: 0x13 },
        { version: 0x10 },
        { secretValue: b(3), associatedData: b(3) },
      ].map((each) => ({ nonce: b(8), parallelism: 1, memory: 8, passes: 1, ...each })),
    ),
  ),
  ...['cSHAKE128', 'cSHAKE256', 'TurboSHAKE128', 'TurboSHAKE256', 'KT128', 'KT256'].flatMap((name) =>
    named(
      name,
      ...[0, 7, 8, 256, 2 ** 32 - 8, 2 ** 32 - 1, 2 ** 32].map((outputLength) => ({ outputLength })),
      ...['KMAC', 'TupleHash', 'ParallelHash', 'kmac', ''].map((text) => ({ outputLength: 8, functionName: Buffer.from(text) })),
      ...[0, 512, 513].map((size) => ({ outputLength: 8, customization: b(size) })),
      ...[0, 1, 0x1f, 0x7f, 0x80, 256].map((domainSeparation) => ({ outputLength: 8, domainSeparation })),
    ),
  ),
  ...['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024', 'MLKEM768-P256', 'MLKEM768-X25519', 'MLKEM1024-P384', 'MLKEM512-P256'],
  ...['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512', 'SHA3-224', 'SHA-224', 'MD5', 'mlkem768-x25519'],
  {},
  3,
  null,
];
const operations = [
  'encrypt decrypt sign verify digest generateKey deriveKey deriveBits importKey exportKey wrapKey unwrapKey getPublicKey',
  'encapsulateBits encapsulateKey decapsulateBits decapsulateKey encapsulate get+key+length nope',
].flatMap((line) => line.split(' '));
const thirds = [
  undefined,
  null,
  0,
  7,
  8,
  32,
  256,
  264,
  384,
  448,
  521,
  528,
  529,
  4096,
  200000,
  -1,
  'AES-GCM',
  { name: 'AES-GCM', length: 128 },
  { name: 'AES-KW', length: 100 },
  'HKDF',
  'Argon2id',
  'ChaCha20-Poly1305',
  { name: 'HMAC', hash: 'SHA-256' },
  { name: 'HMAC', hash: 'SHA3-256' },
  { name: 'HMAC', hash: 'SHA-256', length: 256 },
  { name: 'HMAC', hash: 'SHA-256', length: 250 },
  { name: 'HMAC', hash: 'SHA-256', length: 128 },
  'KMAC128',
  { name: 'KMAC256', length: 100 },
  'Ed25519',
  'SHA-1',
  'nope',
  {},
];
const reported = (value) =>
  JSON.stringify(value, (key, each) => (ArrayBuffer.isView(each) ? `${each.length} bytes` : each instanceof CryptoKey ? each.algorithm : each));
const lacksFurther = /^(?:encrypt|decrypt|sign|verify|digest|generateKey|importKey|exportKey|getPublicKey|encapsulateBits|decapsulateBits|encapsulate|get|nope)/;
for (const operation of operations)
  for (const algorithm of algorithms) {
    const answers = {};
    for (const third of lacksFurther.test(operation) ? [undefined] : thirds) {
      let answer;
      try {
        answer = SubtleCrypto.supports(operation, algorithm, third);
      } catch (error) {
        answer = `${error.name} ${error.code} ${error.message}`;
      }
      (answers[answer] ??= []).push(reported(third));
    }
    log(operation, reported(algorithm), JSON.stringify(answers));
  }
for (const args of [[], ['digest'], [Symbol('x'), 'SHA-1'], ['digest', Symbol('x')]])
  try {
    log(SubtleCrypto.supports(...args));
  } catch (error) {
    log(error.name, error.code, error.message);
  }
log(Object.getOwnPropertyDescriptor(SubtleCrypto, 'supports').enumerable, SubtleCrypto.supports.length);
