// Digests and MACs of any length in crypto.subtle: cSHAKE, KMAC, TurboSHAKE and KangarooTwelve, across block and chunk
// boundaries.
import { inspect } from 'node:util';
import { createHash } from 'node:crypto';
const log = (...values) => process.stdout.write(`${values.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const subtle = crypto.subtle;
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const short = (text) => (text.length > 140 ? `${text.length} ${createHash('sha256').update(text).digest('hex')}` : text);
const report = async (label, run) => {
  try {
    log(label, short(hex(await run())));
  } catch (error) {
    log(label, error.name, error.code, error.message, error.cause?.message);
  }
};
const pattern = (size) => Uint8Array.from({ length: size }, (_, index) => index % 251);
const sizes = [0, 1, 7, 8, 9, 135, 136, 137, 167, 168, 169, 8190, 8191, 8192, 8193, 16384, 16385, 50000, 300000];
const text = (value) => Buffer.from(value);

for (const name of ['TurboSHAKE128', 'TurboSHAKE256']) {
  for (const size of sizes) await report([name, size], () => subtle.digest({ name, outputLength: 256 }, pattern(size)));
  for (const outputLength of [8, 64, 1088, 1344, 1352, 80000])
    await report([name, outputLength], () => subtle.digest({ name, outputLength }, pattern(33)));
  for (const domainSeparation of [1, 6, 0x0b, 0x1f, 0x7f, 0x80, 0])
    await report([name, domainSeparation], () => subtle.digest({ name, outputLength: 512, domainSeparation }, pattern(50)));
}
for (const name of ['KT128', 'KT256']) {
  for (const size of sizes)
    for (const custom of [undefined, 0, 1, 41, 512])
      await report([name, size, custom], () =>
        subtle.digest({ name, outputLength: 256, customization: custom === undefined ? custom : pattern(custom) }, pattern(size)),
      );
  for (const outputLength of [8, 64, 1088, 1352, 80000, 0, 3])
    await report([name, outputLength], () => subtle.digest({ name, outputLength }, pattern(33)));
}
for (const name of ['cSHAKE128', 'cSHAKE256']) {
  for (const size of sizes)
    for (const more of [{}, { functionName: text('KMAC') }, { customization: text('Email Signature') }])
      await report([name, size, Object.keys(more)], () => subtle.digest({ name, outputLength: 256, ...more }, pattern(size)));
  for (const outputLength of [0, 1, 7, 8, 9, 250, 256, 1089, 80000])
    for (const more of [{}, { functionName: text('TupleHash'), customization: pattern(300) }])
      await report([name, outputLength, Object.keys(more)], () => subtle.digest({ name, outputLength, ...more }, pattern(200)));
  for (const functionName of ['', 'KMAC', 'ParallelHash', 'kmac', 'other'])
    await report([name, functionName], () => subtle.digest({ name, outputLength: 64, functionName: text(functionName) }, pattern(3)));
}
for (const name of ['KMAC128', 'KMAC256'])
  for (const keySize of [1, 3, 4, 16, 32, 168, 512, 600])
    for (const more of [{}, { length: keySize * 8 - 3 }]) {
      const key = await subtle.importKey('raw-secret', pattern(keySize), { name, ...more }, true, ['sign', 'verify']);
      for (const outputLength of [0, 1, 8, 250, 256, 4096])
        for (const customization of [undefined, '', 'My Tagged Application', 'x'.repeat(600)]) {
          const way = { name, outputLength, customization: customization && text(customization) };
          await report([name, keySize, key.algorithm.length, outputLength, customization?.length], async () => {
            const signature = await subtle.sign(way, key, pattern(200));
            const isRight = await subtle.verify(way, key, signature, pattern(200));
            const isWrong = await subtle.verify(way, key, signature, pattern(201));
            return Buffer.concat([new Uint8Array(signature), Buffer.from([isRight, isWrong])]);
          });
        }
      log(await subtle.exportKey('jwk', key));
    }
for (const name of ['KMAC128', 'KMAC256'])
  for (const length of [undefined, 0, 1, 20, 128])
    for (const usages of [['sign'], [], ['encrypt']])
      try {
        const key = await subtle.generateKey({ name, length }, true, usages);
        log(key, (await subtle.exportKey('raw-secret', key)).byteLength);
      } catch (error) {
        log(name, length, usages, error.name, error.message);
      }
