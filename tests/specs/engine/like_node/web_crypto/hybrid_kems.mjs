// Hybrid KEMs in crypto.subtle: keys from a seed, every import and export format, shared secrets, and invalid
// arguments.
import { inspect } from 'node:util';
import { KeyObject, createHash } from 'node:crypto';
import { deepStrictEqual, notDeepStrictEqual } from 'node:assert';
import { Worker } from 'node:worker_threads';
const log = (...values) => process.stdout.write(`${values.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const subtle = crypto.subtle;
const hash = (bytes) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
const pattern = (size) => Uint8Array.from({ length: size }, (_, index) => (index * 7) % 251);
const report = async (label, run) => {
  try {
    log(...label, await run());
  } catch (error) {
    log(...label, error.name, error.code, error.message, error.cause !== undefined);
  }
};
const PUBLIC = ['encapsulateBits', 'encapsulateKey'];
const PRIVATE = ['decapsulateBits', 'decapsulateKey'];
const FORMATS = ['raw', 'raw-public', 'raw-seed', 'raw-secret', 'raw-private', 'spki', 'pkcs8', 'jwk'];
const name0 = 'MLKEM768-X25519';

for (const name of ['MLKEM768-P256', 'mlkem768-x25519', 'MLKEM1024-P384']) {
  const seeded = await subtle.importKey('raw-seed', pattern(32), name, true, PRIVATE);
  const half = await subtle.getPublicKey(seeded, PUBLIC);
  log(seeded, half);
  const jwk = await subtle.exportKey('jwk', seeded);
  log(Object.keys(jwk), jwk.kty, jwk.alg, jwk.priv, hash(Buffer.from(jwk.pub)));
  log(hash(await subtle.exportKey('raw-public', half)), hash(await subtle.exportKey('raw-seed', seeded)));
  const pair = await subtle.generateKey(name, false, [...PUBLIC, ...PRIVATE]);
  log(pair);
  for (const key of [half, seeded, pair.publicKey, pair.privateKey])
    for (const format of FORMATS)
      await report(['export', format, key.type, key.extractable], async () => {
        const made = await subtle.exportKey(format, key);
        if (key === pair.publicKey || key === pair.privateKey) return made.byteLength ?? Object.keys(made);
        const back = await subtle.importKey(format, made, name, true, key.type === 'public' ? PUBLIC : PRIVATE);
        deepStrictEqual(back, key);
        notDeepStrictEqual(back, pair.publicKey);
        return [made.byteLength ?? Object.keys(made), back];
      });
  for (const key of [half, pair.publicKey]) {
    const { sharedKey, ciphertext } = await subtle.encapsulateBits(name, key);
    const other = key === half ? seeded : pair.privateKey;
    const found = await subtle.decapsulateBits(name, other, ciphertext);
    log(sharedKey.byteLength, ciphertext.byteLength, hash(found) === hash(sharedKey), Buffer.from(found).equals(Buffer.from(sharedKey)));
    const kept = await subtle.encapsulateKey(name, key, { name: 'AES-GCM', length: 256 }, true, ['encrypt']);
    const same = await subtle.decapsulateKey(name, other, kept.ciphertext, 'AES-GCM', true, ['encrypt']);
    deepStrictEqual(same, kept.sharedKey);
    log(Object.keys(kept), same);
    const bad = new Uint8Array(ciphertext);
    bad[0] ^= 1;
    await report(['another secret'], async () => hash(await subtle.decapsulateBits(name, other, bad)) === hash(sharedKey));
    await report(['no point'], async () => subtle.decapsulateBits(name, other, new Uint8Array(ciphertext.byteLength)));
    await report(['short'], async () => subtle.decapsulateBits(name, other, bad.subarray(1)));
    await report(['wrong half'], async () => subtle.decapsulateBits(name, key, ciphertext));
    await report(['wrong half'], async () => subtle.encapsulateBits(name, other));
    await report(['other name'], async () => subtle.encapsulateBits('ML-KEM-768', key));
    await report(['no such'], async () => subtle.encapsulateBits('AES-GCM', key));
    await report(['no key'], async () => subtle.encapsulateKey(name, key, 'SHA-1', true, ['encrypt']));
    await report(['no length'], async () => subtle.encapsulateKey(name, key, { name: 'HMAC', hash: 'SHA-1', length: 8 }, true, ['sign']));
  }
  for (const format of FORMATS)
    for (const usages of [['encapsulateBits'], ['decapsulateBits'], [], ['sign']])
      for (const size of [0, 31, 32, 33, 1216, 1249, 1665])
        await report(['import', format, usages, size], () =>
          subtle.importKey(format, format === 'jwk' ? { kty: 'AKP' } : new Uint8Array(size), name, true, usages),
        );
  const other = Buffer.from(await subtle.exportKey('raw-public', pair.publicKey)).toString('base64url');
  for (const more of [
    { pub: other },
    { pub: 'AAAA' },
    { priv: 'AAAA' },
    { alg: 'ML-KEM-768' },
    { alg: undefined },
    { kty: 'OKP' },
    { use: 'sig' },
    { use: 'enc' },
    { key_ops: ['decapsulateBits'] },
    { key_ops: ['sign'] },
    { ext: false },
    { priv: 3 },
  ])
    await report(['jwk', Object.keys(more)], () => subtle.importKey('jwk', { ...jwk, ...more }, name, true, ['decapsulateBits']));
  for (const usages of [[], ['encapsulateBits'], ['sign'], ['decapsulateBits', 'decapsulateBits']])
    await report(['generate', usages], () => subtle.generateKey(name, true, usages));
  for (const key of [half, seeded]) {
    await report(['KeyObject'], () => KeyObject.from(key));
    log(structuredClone(key));
    await report(['public of'], () => subtle.getPublicKey(key, ['decapsulateBits']));
  }
}
const seeded = await subtle.importKey('raw-seed', pattern(32), name0, true, PRIVATE);
const worker = new Worker(
  "const { parentPort, workerData } = require('node:worker_threads');" +
    "crypto.subtle.exportKey('jwk', workerData).then((jwk) => parentPort.postMessage(jwk.priv));",
  { eval: true, workerData: seeded },
);
worker.on('message', async (priv) => log(priv === (await subtle.exportKey('jwk', seeded)).priv));
