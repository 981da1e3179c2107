// Digests and HMACs: every algorithm, every input and output form, streams, copies, invalid arguments.
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
log(crypto.getHashes());
for (const name of crypto.getHashes()) {
  say(name, () => crypto.createHash(name).update('some text').digest('hex'));
  say(name, () => crypto.hash(name, 'some text', 'base64'));
  if (!/shake|kmac|keccak/i.test(name)) say(name, () => crypto.createHmac(name, 'a key').update('some text').digest('hex'));
}
const INPUTS = ['', 'äöü 🙂', '\ud800', Buffer.from('abc'), new Uint8Array([1, 2, 3]), new DataView(new ArrayBuffer(4), 1), new Float64Array([1.5]), new BigUint64Array(2)];
for (const input of INPUTS) {
  say('input', () => crypto.createHash('sha1').update(input).digest('hex'));
  say('input', () => crypto.hash('sha1', input));
  say('key', () => crypto.createHmac('md5', input).update('x').digest('hex'));
}
for (const bad of [undefined, null, 3, {}, [], true, new ArrayBuffer(3), Symbol('x')]) {
  say('bad input', () => crypto.createHash('sha1').update(bad));
  say('bad input', () => crypto.createHmac('sha1', 'k').update(bad));
  say('bad one shot', () => crypto.hash('sha1', bad));
  say('bad name', () => crypto.createHash(bad));
  say('bad name', () => crypto.createHmac(bad, 'k'));
  say('bad key', () => crypto.createHmac('sha1', bad));
  say('bad size', () => crypto.createHash('shake128', { outputLength: bad }).digest('hex'));
  say('bad encoding', () => crypto.hash('sha1', 'x', { outputEncoding: bad }));
  say('bad options', () => crypto.hash('sha1', 'x', bad));
}
for (const encoding of ['hex', 'base64', 'base64url', 'latin1', 'binary', 'ucs2', 'utf16le', 'utf8', 'ascii', 'buffer', 'nonsense', undefined, null, '', 'HEX']) {
  say(`in ${encoding}`, () => crypto.createHash('sha1').update('abcd', encoding).digest('hex'));
  say(`out ${encoding}`, () => crypto.createHash('md5').update('abcd').digest(encoding));
  say(`out ${encoding}`, () => crypto.createHmac('md5', 'k').update('abcd').digest(encoding));
  say(`one shot ${encoding}`, () => crypto.hash('md5', 'abcd', encoding));
}
say('odd hex', () => crypto.createHash('sha1').update('abc', 'hex'));
for (const size of [0, 1, 5, 16, 20, 32, 100, -1, 1.5, 2 ** 32, -0]) {
  for (const name of ['shake128', 'shake256', 'sha1', 'sha256', 'blake2b512']) {
    say(`${name} of ${size}`, () => crypto.createHash(name, { outputLength: size }).update('x').digest('hex'));
    say(`${name} of ${size}`, () => crypto.hash(name, 'x', { outputLength: size }));
  }
}
say('unknown', () => crypto.createHash('nope'));
say('unknown', () => crypto.hash('nope', ''));
say('unknown', () => crypto.createHmac('nope', ''));
for (const name of ['SHA256', 'Sha-256', 'sha2-256', 'RSA-SHA256', 'sha512-256', 'SHA512/256', 'blake2b', 'md4', 'whirlpool', 'null']) say(name, () => crypto.createHash(name).update('').digest('hex'));

const half = crypto.createHash('sha256').update('a');
const other = half.copy();
log(half.update('b').digest('hex'), other.digest('hex'));
say('copy done', () => half.copy());
say('update done', () => half.update('x'));
say('digest done', () => half.digest());
say('copy longer', () => crypto.createHash('shake256').update('a').copy({ outputLength: 10 }).digest('hex'));
say('copy shorter', () => crypto.createHash('sha1').update('a').copy({ outputLength: 10 }));
const mac = crypto.createHmac('sha1', 'k').update('a');
log(mac.digest('hex'), mac.digest('hex'), mac.digest());
say('update done', () => mac.update('x'));
log(crypto.createHash('sha1'), crypto.createHmac('sha1', 'k'));
log(crypto.Hash('sha1').update('x').digest('hex'), crypto.Hmac('sha1', 'k').update('x').digest('hex'));
log(Object.getOwnPropertyNames(crypto.Hash.prototype), Object.getOwnPropertyNames(Object.getPrototypeOf(mac)));

const stream = crypto.createHash('sha1', { encoding: 'hex' });
stream.on('data', (text) => log('stream', text)).on('end', () => log('end'));
stream.write('abc');
stream.end('def');
const bytes = crypto.createHmac('sha1', 'k');
bytes.on('readable', () => log('readable', bytes.read()));
bytes.end('abc', () => log('finished'));
require('node:stream').Readable.from(['a', 'b']).pipe(crypto.createHash('sha256')).on('finish', function () { log('piped', this.read().toString('hex')); });
