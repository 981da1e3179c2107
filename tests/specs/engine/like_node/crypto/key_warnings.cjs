// Which functions of node:crypto emit a warning for a CryptoKey argument, and how often.
const crypto = require('node:crypto');
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const { subtle } = crypto.webcrypto;
const uses = {
  createHmac: ({ hmac }) => crypto.createHmac('sha256', hmac).update('x').digest('hex').length,
  createCipheriv: ({ aes }) => crypto.createCipheriv('aes-128-cbc', aes, Buffer.alloc(16)).final().length,
  sign: ({ ec }) => crypto.sign('sha256', Buffer.from('x'), ec.privateKey).length > 60,
  signOptions: ({ ec }) => crypto.sign('sha256', Buffer.from('x'), { key: ec.privateKey }).length > 60,
  verify: ({ ec }) => crypto.verify('sha256', Buffer.from('x'), ec.publicKey, Buffer.alloc(70)),
  createPublicKey: ({ ec }) => [crypto.createPublicKey(ec.privateKey).type, crypto.createPublicKey({ key: ec.privateKey }).type],
  createPublicKeyOfPublic: ({ ec }) => crypto.createPublicKey(ec.publicKey),
  createPrivateKey: ({ ec }) => crypto.createPrivateKey(ec.privateKey),
  wrongKind: ({ aes }) => crypto.createPublicKey(aes),
  hkdfSync: ({ hmac }) => crypto.hkdfSync('sha256', hmac, '', '', 10),
  from: ({ hmac, ec }) => [crypto.KeyObject.from(hmac).type, crypto.KeyObject.from(ec.privateKey).type],
  fromHidden: ({ hidden }) => [crypto.KeyObject.from(hidden).type, crypto.KeyObject.from(hidden).type],
  subtle: ({ hmac }) => subtle.sign('HMAC', hmac, Buffer.from('x')).then(({ byteLength }) => byteLength),
};

async function use(name) {
  const keys = {
    hmac: await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign']),
    aes: await subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, ['encrypt']),
    ec: await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']),
    hidden: await subtle.importKey('raw', Buffer.alloc(8), 'HKDF', false, ['deriveBits']),
  };
  process.on('warning', ({ name: kind, code, message }) => console.log(name, kind, code, message));
  try {
    console.log(name, String(await uses[name](keys)));
  } catch (error) {
    console.log(name, error.name, error.code);
  }
}

async function main() {
  for (const name of Object.keys(uses)) {
    const worker = new Worker(__filename, { workerData: name });
    await new Promise((resolve) => worker.once('exit', resolve));
  }
}
if (isMainThread) main();
else use(workerData);
