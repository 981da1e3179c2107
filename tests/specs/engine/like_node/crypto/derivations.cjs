// PBKDF2, scrypt, HKDF, Argon2: values, callbacks, invalid arguments.
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
const BAD = [undefined, null, -1, 1.5, NaN, {}, [], true, 'x', 2 ** 31, 2 ** 32, 0];
const DATA = ['', 'password', Buffer.from('ab'), new Uint16Array([5]), new ArrayBuffer(3), new DataView(new ArrayBuffer(2)), 3, null, undefined, {}];
for (const digest of ['sha1', 'sha256', 'SHA512', 'md5', 'sha3-256', 'nope', undefined, null, 3, 'shake128']) say('pbkdf2', () => crypto.pbkdf2Sync('p', 's', 3, 20, digest));
for (const data of DATA) {
  say('pbkdf2 password', () => crypto.pbkdf2Sync(data, 's', 1, 10, 'sha1'));
  say('pbkdf2 salt', () => crypto.pbkdf2Sync('p', data, 1, 10, 'sha1'));
  say('scrypt password', () => crypto.scryptSync(data, 's', 10));
  say('scrypt salt', () => crypto.scryptSync('p', data, 10));
  say('hkdf key', () => crypto.hkdfSync('sha256', data, 's', 'i', 10));
  say('hkdf salt', () => crypto.hkdfSync('sha256', 'k', data, 'i', 10));
  say('hkdf info', () => crypto.hkdfSync('sha256', 'k', 's', data, 10));
}
for (const bad of BAD) {
  say('pbkdf2 iterations', () => crypto.pbkdf2Sync('p', 's', bad, 10, 'sha1'));
  say('pbkdf2 length', () => crypto.pbkdf2Sync('p', 's', 1, bad > 2 ** 30 ? 3 : bad, 'sha1'));
  say('pbkdf2 callback', () => crypto.pbkdf2('p', 's', 1, 10, 'sha1', bad));
  if (bad !== 2 ** 31) say('scrypt length', () => crypto.scryptSync('p', 's', bad));
  say('scrypt callback', () => crypto.scrypt('p', 's', 1, bad));
  say('hkdf length', () => crypto.hkdfSync('sha1', 'k', 's', 'i', bad > 2 ** 30 ? 2 ** 20 : bad)); // Node aborts at 2 ** 32
  say('hkdf callback', () => crypto.hkdf('sha1', 'k', 's', 'i', 3, bad));
  say('hkdf digest', () => crypto.hkdfSync(bad, 'k', 's', 'i', 3));
  for (const name of ['N', 'r', 'p', 'maxmem', 'cost', 'blockSize', 'parallelization']) if (bad !== 2 ** 31) say(`scrypt ${name}`, () => crypto.scryptSync('p', 's', 8, { [name]: bad }));
}
say('scrypt both', () => crypto.scryptSync('p', 's', 8, { N: 16, cost: 16 }));
say('scrypt', () => crypto.scryptSync('p', 's', 40, { N: 1024, r: 4, p: 2 }).toString('hex'));
say('scrypt memory', () => crypto.scryptSync('p', 's', 40, { N: 2 ** 20 }));
say('hkdf', () => Buffer.from(crypto.hkdfSync('sha512', 'key', 'salt', 'info', 200)).toString('hex'));
say('hkdf long', () => crypto.hkdfSync('sha1', 'k', 's', 'i', 255 * 20 + 1));
say('hkdf info', () => crypto.hkdfSync('sha1', 'k', 's', Buffer.alloc(1025), 1));
say('hkdf unknown', () => crypto.hkdfSync('nope', 'k', 's', 'i', 1));
const parameters = { message: 'password', nonce: 'saltsaltsalt', parallelism: 2, tagLength: 32, memory: 64, passes: 3 };
for (const algorithm of ['argon2d', 'argon2i', 'argon2id', 'argon2', undefined, 3]) say(`${algorithm}`, () => crypto.argon2Sync(algorithm, parameters).toString('hex'));
say('argon2 secret', () => crypto.argon2Sync('argon2id', { ...parameters, secret: 'abc', associatedData: Buffer.from('more') }).toString('hex'));
for (const name of Object.keys(parameters)) for (const bad of [undefined, null, -1, 1.5, NaN, {}, true, 'x', 'short', 0]) say(`argon2 ${name}`, () => crypto.argon2Sync('argon2id', { ...parameters, memory: 16, passes: 1, [name]: bad }).length);
say('argon2 nothing', () => crypto.argon2Sync('argon2id'));

const inTurn = [
  (done) => crypto.pbkdf2('p', 's', 2, 12, 'sha256', done), (done) => crypto.scrypt('p', 's', 12, done), (done) => crypto.scrypt('p', 's', 12, { N: 16 }, done),
  (done) => crypto.hkdf('sha1', 'k', 's', 'i', 12, done), (done) => crypto.argon2('argon2i', parameters, done),
  (done) => crypto.hkdf('sha1', crypto.createSecretKey(Buffer.from('k')), 's', 'i', 12, done),
];
const next = () => {
  const run = inTurn.shift();
  if (run === undefined) return;
  let isLater = false;
  run((error, result) => {
    log('later', isLater, error, result);
    next();
  });
  isLater = true;
};
next();
