// WebCrypto copies the input bytes after it has read the algorithm and before the method returns.
const { subtle } = crypto;
const hex = (result) => (result instanceof ArrayBuffer ? Buffer.from(result).toString('hex').slice(0, 24) : result);
const secret = new Uint8Array(16).fill(7);
const usages = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const aes = await subtle.importKey('raw', secret, 'AES-CBC', true, usages);
const hmac = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
const iv = new Uint8Array(16);
const encrypted = new Uint8Array(await subtle.encrypt({ name: 'AES-CBC', iv }, aes, new Uint8Array(20)));
const signature = new Uint8Array(await subtle.sign('HMAC', hmac, new Uint8Array(20)));
const wrapped = new Uint8Array(await subtle.wrapKey('raw', aes, aes, { name: 'AES-CBC', iv }));
const raw = async (key) => hex(await subtle.exportKey('raw', await key));

const calls = {
  digest: [new Uint8Array(20), 'SHA-256', (algorithm, data) => subtle.digest(algorithm, data)],
  encrypt: [new Uint8Array(20), 'AES-CBC', (algorithm, data) => subtle.encrypt(algorithm, aes, data)],
  decrypt: [encrypted, 'AES-CBC', (algorithm, data) => subtle.decrypt(algorithm, aes, data)],
  sign: [new Uint8Array(20), 'HMAC', (algorithm, data) => subtle.sign(algorithm, hmac, data)],
  'verify, data': [new Uint8Array(20), 'HMAC', (algorithm, data) => subtle.verify(algorithm, hmac, signature, data)],
  'verify, signature': [signature, 'HMAC', (algorithm, data) => subtle.verify(algorithm, hmac, data, new Uint8Array(20))],
  importKey: [secret, 'AES-CBC', (algorithm, data) => raw(subtle.importKey('raw', data, algorithm, true, usages))],
  unwrapKey: [wrapped, 'AES-CBC', (algorithm, data) => raw(subtle.unwrapKey('raw', data, aes, algorithm, 'AES-CBC', true, usages))],
};
const changes = {
  change: (bytes) => void (bytes[0] ^= 255),
  transfer: (bytes) => void structuredClone(bytes, { transfer: [bytes.buffer] }),
};
for (const [name, [bytes, algorithm, call]] of Object.entries(calls)) {
  for (const [how, change] of Object.entries(changes)) {
    const data = bytes.slice();
    const changing = {
      iv,
      get name() {
        change(data);
        return algorithm;
      },
    };
    const outcome = (promise) => promise.then(hex, (error) => error.name);
    console.log(name, how, 'while the algorithm is read', await outcome(call(changing, data)));
    const later = bytes.slice();
    const result = call({ name: algorithm, iv }, later);
    change(later);
    console.log(name, how, 'after the call', await outcome(result));
  }
}
for (const data of [1, 'text', {}, new Uint8Array(new SharedArrayBuffer(4)), undefined]) {
  const reported = { get name() { throw new Error('the algorithm is not read'); } };
  console.log(await subtle.digest(reported, data).catch((error) => `${error.name} ${error.code} ${error.message}`));
}
