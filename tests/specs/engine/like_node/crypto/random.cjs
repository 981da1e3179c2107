// Random bytes, integers, UUIDs and primes: signatures, lengths and invalid arguments.
const crypto = require('node:crypto');
const { inspect } = require('node:util');
const log = (...args) => process.stdout.write(`${args.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const say = (title, run) => {
  try {
    log(title, run());
  } catch (error) {
    log(title, error.name, error.message, { ...error });
  }
};
const BAD = [undefined, null, -1, 1.5, NaN, {}, [], true, 'x', 2 ** 31, 2 ** 53, Infinity];
for (const size of [...BAD, 0, 5]) {
  say('bytes', () => { const found = crypto.randomBytes(size); return [found.length, found.constructor.name, found.buffer.byteLength === found.length]; });
  say('bytes later', () => crypto.randomBytes(2, size)?.length);
  say('fill', () => crypto.randomFillSync(Buffer.alloc(10), size).length);
  say('fill size', () => crypto.randomFillSync(Buffer.alloc(10), 1, size).length);
  say('fill words', () => crypto.randomFillSync(new Uint32Array(10), size).length);
  say('fill what', () => crypto.randomFillSync(size));
  say('fill later', () => crypto.randomFill(Buffer.alloc(3), size));
  say('int', () => Math.abs(crypto.randomInt(size) * 0));
  say('int range', () => Math.abs(crypto.randomInt(size, 10) * 0));
  say('int range', () => Math.abs(crypto.randomInt(0, size) * 0));
  say('int later', () => (crypto.randomInt(3, 5, size) ?? 1) ** 0);
  say('uuid', () => crypto.randomUUID(size).length);
  say('uuid', () => crypto.randomUUIDv7(size).length);
  say('uuid option', () => crypto.randomUUID({ disableEntropyCache: size }).length);
  say('prime', () => crypto.generatePrimeSync(size === 2 ** 31 ? 'x' : size).byteLength);
  say('prime options', () => crypto.generatePrimeSync(10, size).byteLength);
  for (const name of ['add', 'rem', 'safe', 'bigint']) say(`prime ${name}`, () => typeof crypto.generatePrimeSync(10, { [name]: size }));
  say('check', () => crypto.checkPrimeSync(size));
  say('check options', () => crypto.checkPrimeSync(7n, size));
  say('checks', () => crypto.checkPrimeSync(7n, { checks: size }));
  say('check later', () => crypto.checkPrime(7n, {}, size));
  say('equal', () => crypto.timingSafeEqual(size, Buffer.alloc(1)));
  say('equal', () => crypto.timingSafeEqual(Buffer.alloc(1), size));
}
say('far', () => crypto.randomInt(0, 2 ** 48));
say('far', () => crypto.randomInt(-(2 ** 47), 2 ** 47) ** 0);
for (let i = 0; i < 200; i++) if (![5, 6, 7].includes(crypto.randomInt(5, 8))) log('out of range');
const ids = Array.from({ length: 300 }, () => crypto.randomUUID());
log(new Set(ids).size, ids.every((id) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)));
const timed = Array.from({ length: 300 }, () => crypto.randomUUIDv7());
log(new Set(timed).size, timed.every((id) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)), Math.abs(parseInt(timed[0].replace('-', '').slice(0, 12), 16) - Date.now()) < 60000);
log(crypto.checkPrimeSync(97n), crypto.checkPrimeSync(98n), crypto.checkPrimeSync(Buffer.from([0, 7])), crypto.checkPrimeSync(-1n < 0n ? 2n ** 127n - 1n : 0n));
say('negative', () => crypto.checkPrimeSync(-3n));
say('prime', () => { const p = crypto.generatePrimeSync(32, { bigint: true }); return [typeof p, p >= 2n ** 31n && p < 2n ** 32n, crypto.checkPrimeSync(p)]; });
say('safe', () => { const p = crypto.generatePrimeSync(32, { safe: true, bigint: true }); return crypto.checkPrimeSync((p - 1n) / 2n); });
say('add', () => crypto.generatePrimeSync(32, { add: 12n, rem: 11n, bigint: true }) % 12n);
say('add', () => crypto.generatePrimeSync(32, { add: 12n, rem: 13n }));
say('add', () => crypto.generatePrimeSync(3, { add: 12n }));
say('bytes', () => crypto.generatePrimeSync(33).byteLength);
log(crypto.timingSafeEqual(Buffer.from('ab'), new Uint8Array([97, 98])), crypto.timingSafeEqual(new ArrayBuffer(2), Buffer.from('ab')));
say('lengths', () => crypto.timingSafeEqual(Buffer.alloc(1), Buffer.alloc(2)));
const view = new Uint8Array(20);
crypto.randomFillSync(view, 5, 10);
log(view.subarray(0, 5).some(Boolean), view.subarray(15).some(Boolean));
// The pool's threads finish in any order, so the output is sorted.
const later = [];
const note = (...args) => later.push(inspect(args));
crypto.randomBytes(4, (error, bytes) => note('bytes', error, bytes.length));
crypto.randomFill(new Uint16Array(4), 1, (error, array) => note('fill', error, array.length, array[0]));
crypto.randomInt(3, (error, value) => note('int', error, value < 3));
crypto.generatePrime(20, { bigint: true }, (error, value) => note('prime', error, typeof value));
crypto.generatePrime(20, (error, value) => note('prime', error, value.byteLength));
crypto.checkPrime(7n, (error, value) => note('check', error, value));
process.on('exit', () => log(later.sort()));
log(Object.entries(crypto).map(([name, each]) => (typeof each === 'function' ? `${name}/${each.name}/${each.length}` : name)));
log(crypto.constants, Object.getOwnPropertyDescriptor(crypto.constants, 'TLS1_VERSION'));
log(crypto.prng === crypto.randomBytes, crypto.pseudoRandomBytes.name, crypto.rng.length);
