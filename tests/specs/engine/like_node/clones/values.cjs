// structuredClone of keys, block lists, and other platform objects.
const crypto = require('node:crypto');
const { BlockList, SocketAddress } = require('node:net');
const said = (name, make) => {
  try {
    const value = structuredClone(make());
    console.log(name, Object.prototype.toString.call(value), value?.constructor?.name);
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const secret = crypto.createSecretKey('abc', 'utf8');
const { publicKey, privateKey } = crypto.generateKeyPairSync('ed25519');
said('secret', () => secret);
said('public', () => publicKey);
said('private', () => privateKey);
console.log(structuredClone({ a: [privateKey] }).a[0].equals(privateKey), structuredClone(secret).export().toString());
said('list', () => new BlockList());
said('address', () => new SocketAddress({ port: 5 }));
console.log(structuredClone(new SocketAddress({ port: 5 })).port);
said('histogram', () => require('node:perf_hooks').createHistogram());
said('file', () => new File(['a'], 'b'));
said('url', () => new URL('http://a'));
said('params', () => new URLSearchParams('a'));
said('pattern', () => new URLPattern({}));
said('storage', () => sessionStorage);
said('dom', () => new DOMException('a', 'DataCloneError'));
said('quota', () => new QuotaExceededError('a', { quota: 1, requested: 2 }));
const clone = structuredClone(new QuotaExceededError('a', { quota: 1, requested: 2 }));
console.log(clone.quota, clone.requested, clone.message, clone.code);
(async () => {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);
  said('crypto key', () => key);
  const copy = structuredClone(key);
  console.log(copy.algorithm.name, copy.extractable, copy.usages.join());
  const { port1, port2 } = new MessageChannel();
  port2.once('message', ({ key: arrived }) => {
    console.log(arrived.export().toString());
    port2.close();
  });
  port1.postMessage({ key: secret });
})();
