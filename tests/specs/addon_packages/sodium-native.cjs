const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const s = require('sodium-native');
const k = Buffer.alloc(s.crypto_secretbox_KEYBYTES, 1),
  n = Buffer.alloc(s.crypto_secretbox_NONCEBYTES, 2),
  m = Buffer.from('secret'),
  c = Buffer.alloc(m.length + s.crypto_secretbox_MACBYTES);
s.crypto_secretbox_easy(c, m, n, k);
console.log(c.toString('hex'));
const o = Buffer.alloc(m.length);
console.log(s.crypto_secretbox_open_easy(o, c, n, k), o.toString());
const h = Buffer.alloc(32);
s.crypto_generichash(h, m);
console.log(h.toString('hex'));
try {
  s.crypto_secretbox_easy(1, 2, 3, 4);
} catch (e) {
  console.log(e.message);
}
const sec = s.sodium_malloc(32);
console.log(sec.length, Buffer.isBuffer(sec), sec.secure);
const out = Buffer.alloc(128);
s.crypto_pwhash_str_async(out, Buffer.from('pw'), s.crypto_pwhash_OPSLIMIT_MIN, s.crypto_pwhash_MEMLIMIT_MIN, (e) =>
  console.log('done', e, out.subarray(0, 9).toString()),
);
