"""Ed25519 and Ed448: signatures that involve a point of small order verify nothing, as in Node 26."""

from __future__ import annotations

from rig import Box

PROGRAM = """
import { createHash, createPublicKey, generateKeyPairSync, sign, verify, webcrypto } from 'node:crypto';

const bytes = (first, size, last = 0) => Buffer.from([first, ...Array(size - 2).fill(0), last]);
const prefixes = { 32: '302a300506032b6570032100', 57: '3043300506032b6571033a00' };
const order8 = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05';
const points = [bytes(0, 32), bytes(1, 32), bytes(1, 32, 0x80), Buffer.from(order8, 'hex'), bytes(0, 57), bytes(1, 57)];
let accepted = 0;
for (const point of points) {
  const key = Buffer.concat([Buffer.from(prefixes[point.length], 'hex'), point]);
  const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
  for (const r of points.filter((each) => each.length === point.length)) {
    const signature = Buffer.concat([r, Buffer.alloc(point.length)]);
    for (let n = 0; n < 8; n++) accepted += verify(null, Buffer.from(`pay ${n}`), publicKey, signature);
  }
}
console.log('keys', accepted);

// A commitment of small order under an ordinary key: R = 1, S = h * a.
const number = (data) => data.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
const order = 2n ** 252n + 27742317777372353535851937790883648493n;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
const scalar = createHash('sha512').update(seed).digest().subarray(0, 32);
scalar[0] &= 248;
scalar[31] = (scalar[31] & 127) | 64;
const message = Buffer.from('hello');
const r = bytes(1, 32);
const challenge = number(createHash('sha512').update(Buffer.concat([r, raw, message])).digest()) % order;
const s = Buffer.from(((challenge * number(scalar)) % order).toString(16).padStart(64, '0'), 'hex').reverse();
const forged = Buffer.concat([r, s]);
const webKey = await webcrypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
console.log('commitment', verify(null, message, publicKey, forged), await webcrypto.subtle.verify('Ed25519', webKey, forged, message));

for (const type of ['ed25519', 'ed448']) {
  const pair = generateKeyPairSync(type);
  console.log(type, verify(null, message, pair.publicKey, sign(null, message, pair.privateKey)));
}
"""


def test_points_of_small_order(box: Box) -> None:
    box.write({"main.mjs": PROGRAM})
    done = box.run("main.mjs")
    assert (done.stdout.decode().splitlines(), done.stderr) == (
        ["keys 0", "commitment false false", "ed25519 true", "ed448 true"],
        b"",
    )
