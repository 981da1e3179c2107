// Certificate names that could mislead a naive parser, errors in Node's order, and keys sent to another thread.
const crypto = require('node:crypto');
const { Worker } = require('node:worker_threads');
const tls = require('node:tls');
const log = (...all) => console.log(...all);

// Alternative names with commas, a directory name, names of other kinds.
const NAMES = `-----BEGIN CERTIFICATE-----
MIICSjCCAe+gAwIBAgIUINNLu0l67GiY1cpHO6ngEHmJ4RAwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKbmFtZXMudGVzdDAgFw0yNjExMjMxODQ4MzZaGA8yMTI2MTAz
MDE4NDgzNlowFTETMBEGA1UEAwwKbmFtZXMudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABH7t56bEgFX7NJsA0uQjROgc+HsMdby+i3bRisaQ5ofBEQEaD4hC
b+4jYMX0l3vdbSJ6Kp/WNVmPc8lds2L2Pu+jggEZMIIBFTCB8wYDVR0RBIHrMIHo
ghhnb29kLnRlc3QsIEROUzpldmlsLnRlc3SCCnBsYWluLnRlc3SBF2EsIEROUzpl
dmlsLnRlc3RAeC50ZXN0hhFodHRwOi8veC50ZXN0L2EsYqQzMDExCzAJBgNVBAYT
AkRFMSIwIAYDVQQHDBlNw4PCvG5jaGVuLCBETlM6ZXZpbC50ZXN0oBUGCCsGAQUF
BwgFoAkMB21lLCB5b3WgEwYIKwYBBQUHCAWgBwwFcGxhaW6gGwYKKwYBBAGCNxQC
A6ANDAt1c2VyQHgudGVzdKAQBgMqAwSgCQwHdW5rbm93bocEAQIDBDAdBgNVHQ4E
FgQUbn0tqL3QKKJ5Kuiu/z7ZRb3QvcIwCgYIKoZIzj0EAwIDSQAwRgIhAP/hotHp
j4VLeMGHdPtS8DlAcv2aSQvP6fJAw14UMBcaAiEArIdDQd8iGo2hc1lmQ0VhTdeF
jkhuGNremydOofFDEfI=
-----END CERTIFICATE-----
`;
log(new crypto.X509Certificate(NAMES).subjectAltName.split(', ').join('\n'));
log(tls.checkServerIdentity('evil.test', new crypto.X509Certificate(NAMES).toLegacyObject())?.code);

async function attempt(name, work) {
  try {
    log(name, await work());
  } catch (error) {
    log(name, error.name, error.code, error.message);
  }
}

const { publicKey, privateKey } = crypto.generateKeyPairSync('ed25519');
const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
const PROGRAM = `const { parentPort, workerData } = require('node:worker_threads');
const crypto = require('node:crypto');
parentPort.once('message', async ({ secret, keys: [pair, web] }) => {
  const reported = [workerData.type, workerData.asymmetricKeyType, secret.type, secret.export().toString(), pair.type, pair.asymmetricKeyType];
  reported.push(crypto.verify(null, Buffer.from('x'), workerData, crypto.sign(null, Buffer.from('x'), pair)));
  reported.push(web.constructor.name, web.type, web.extractable, web.algorithm.name, web.algorithm.hash.name, web.usages.join());
  reported.push(Buffer.from(await crypto.subtle.sign('HMAC', web, Buffer.from('x'))).toString('hex'));
  parentPort.postMessage({ reported, secret, web });
});`;

(async () => {
  const { subtle } = crypto;
  for (const run of [crypto.publicEncrypt, crypto.privateDecrypt]) {
    const key = rsa.publicKey.export({ type: 'spki', format: 'pem' });
    await attempt('digest', () => run({ key, oaepHash: 'no digest' }, Buffer.alloc(10)));
    await attempt('digest', () => run({ key: 'no key', oaepHash: 'no digest' }, Buffer.alloc(10)));
    await attempt('digest', () => run({ key: 'no key', oaepHash: 3 }, Buffer.alloc(10)));
    await attempt('label', () => run({ key: 'no key', oaepLabel: 3 }, Buffer.alloc(10)));
  }
  const first = await subtle.generateKey('X25519', true, ['deriveBits']);
  const second = await subtle.generateKey('X448', true, ['deriveBits']);
  await attempt('kinds', () => subtle.deriveBits({ name: 'X25519', public: second.publicKey }, first.privateKey, 256));
  const base = await subtle.importKey('raw', Buffer.from('x'), 'HKDF', false, ['deriveBits']);
  for (const hash of ['SHA1', 'SHA256', 'MD5', 'none'])
    await attempt(hash, () => subtle.deriveBits({ name: 'HKDF', salt: Buffer.alloc(1), info: Buffer.alloc(1), hash }, base, 256));
  await attempt('DSS1', () => crypto.createSign('DSS1').update('x').constructor.name);
  await attempt('borrowed', () => {
    const { setOptions } = tls.createSecureContext().context;
    ({ setOptions }).setOptions();
  });

  const secret = crypto.createSecretKey(Buffer.from('a secret'));
  const web = await subtle.importKey('raw', Buffer.from('a key'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const worker = new Worker(PROGRAM, { eval: true, workerData: publicKey });
  worker.postMessage({ secret, keys: [privateKey, web] });
  worker.on('message', (answer) => {
    log(answer.reported.join(' '));
    log(answer.secret.equals(secret), answer.web instanceof CryptoKey, answer.web.usages.join());
  });
})();
