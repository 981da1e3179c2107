// Random texts, whole and cut by short buffers, in all encodings: lengths, contents, what is read, and untouched bytes.
const { createHash } = require('node:crypto');
let seed = 7;
const random = (below) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
const UNITS = ['a', 'Z', '\0', '\x7f', '\x80', 'é', 'ÿ', '߿', 'ࠀ', '€', '日', '\uffff', '😀', '\ud800', '\udc00', '\ud83d'];
const WIDTHS = [2, 4, 7, UNITS.length]; // ASCII, one byte for each character, two, and with surrogates
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const hash = createHash('sha256');
const note = (...values) => hash.update(values.join());

for (let round = 0; round < 4000; round++) {
  const width = WIDTHS[round % WIDTHS.length];
  let text = '';
  for (let left = random(round % 10 === 0 ? 900 : 120); left > 0; left--) text += UNITS[random(width)];
  const whole = Buffer.from(text);
  const room = random(whole.length + 5);
  const bytes = Buffer.alloc(room + 16, 7);
  const { read, written } = encoder.encodeInto(text, new Uint8Array(bytes.buffer, bytes.byteOffset + 5, room));
  note(text.length, Buffer.byteLength(text), whole.toString('hex'), encoder.encode(text).length);
  // Node writes one character less than fits into some rooms.
  note(read === text.length || room - written < 6, bytes.toString('utf8', 5, 5 + written) === text.slice(0, read).toWellFormed());
  note(bytes.subarray(0, 5).toString('hex'), bytes.subarray(5 + written).every((byte) => byte === 7));
  note(decoder.decode(whole).length, Buffer.alloc(room + 16, 7).write(text, 3, room), whole.toString());
  for (const encoding of ['base64', 'base64url', 'hex', 'latin1', 'ascii', 'utf16le']) {
    const encoded = whole.toString(encoding);
    const at = random(encoded.length + 1);
    const changed = encoded.slice(0, at) + ['', '=', '-', '_', ' ', '!', '\n', 'é', '日'][random(9)] + encoded.slice(at + random(2));
    const target = Buffer.alloc(room + 16, 9);
    note(encoded, Buffer.byteLength(changed, encoding), target.write(changed, 1, room, encoding), target.toString('hex'));
    note(Buffer.from(encoded, encoding).toString('hex'), Buffer.from(changed, encoding).toString('hex'));
  }
  if (round % 400 === 399) console.log(round, hash.copy().digest('hex'));
}
