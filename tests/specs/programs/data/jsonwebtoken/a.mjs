import jwt from 'jsonwebtoken';
import { createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' });
const curves = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
for (const algorithm of ['HS256', 'HS384', 'HS512']) await tried(algorithm, () => jwt.sign({ a: 1, iat: 1000 }, 'secret', { algorithm }));
for (const algorithm of ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']) await tried(algorithm, () => jwt.verify(jwt.sign({ a: 1, iat: 1000 }, pem, { algorithm }), rsa.publicKey, { algorithms: [algorithm] }));
for (const [algorithm, namedCurve] of Object.entries(curves)) await tried(algorithm, () => { const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve }); const token = jwt.sign({ a: 1, iat: 1000 }, privateKey, { algorithm }); return [token.split('.')[2].length, jwt.verify(token, publicKey)]; });
await tried('none', () => jwt.sign({ iat: 1 }, '', { algorithm: 'none' }));
const clock = { clockTimestamp: 1500 };
const token = jwt.sign({ iat: 1000, user: 'ü' }, 'secret', { expiresIn: '1h', notBefore: 10, audience: ['a', 'b'], issuer: 'i', subject: 's', jwtid: 'j', keyid: 'k', header: { x: 1 } });
await tried('decode', () => jwt.decode(token, { complete: true }));
await tried('verify', () => jwt.verify(token, 'secret', { ...clock, audience: /b/, issuer: ['h', 'i'], subject: 's', jwtid: 'j' }));
await tried('complete', () => jwt.verify(token, createSecretKey(Buffer.from('secret')), { ...clock, complete: true }).signature);
for (const options of [{ clockTimestamp: 9999 }, { clockTimestamp: 1001 }, { ...clock, audience: 'c' }, { ...clock, issuer: 'x' }, { ...clock, subject: 'x' }, { ...clock, jwtid: 'x' }, { ...clock, maxAge: '1m' }, { ...clock, algorithms: ['RS256'] }, { ...clock, nonce: 'n' }]) await tried(JSON.stringify(options), () => jwt.verify(token, 'secret', options));
await tried('bad secret', () => jwt.verify(token, 'other', clock));
await tried('malformed', () => jwt.verify('a.b', 'secret'));
await tried('garbage', () => jwt.verify('a.b.c', 'secret'));
await tried('no secret', () => jwt.verify(token));
await tried('small key', () => jwt.sign({}, generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, { algorithm: 'RS256' }));
await tried('wrong key', () => jwt.sign({}, pem, { algorithm: 'ES256' }));
await tried('bad option', () => jwt.sign({}, 's', { expiresIn: 'later' }));
await tried('by hand', () => { const [head, body, signature] = token.split('.'); return createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url') === signature; });
await tried('callback', () => new Promise((resolve, reject) => jwt.sign({ iat: 1 }, 's', {}, (error, made) => jwt.verify(made, (header, done) => done(null, header.alg === 'HS256' ? 's' : 'x'), (failure, value) => (failure ? reject(failure) : resolve(value))))));
