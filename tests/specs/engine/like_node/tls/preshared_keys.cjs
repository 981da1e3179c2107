// Pre-shared keys (PSK): the arguments and results of the callbacks, and what each side reports of a failure.
const tls = require('node:tls');
const log = (...all) => console.log(...all);

const KEY = Buffer.from('d731ef57be09e5204f0b205b60627028', 'hex');
const server = (pskCallback, more) => tls.createServer({ ciphers: 'PSK+HIGH', pskCallback, pskIdentityHint: 'a hint', ...more });
const known = (socket, identity) => {
  log('  server asked', socket instanceof tls.TLSSocket, identity);
  return identity === 'someone' ? KEY : undefined;
};

function meet(title, serve, clientOptions) {
  return new Promise((resolve) => {
    log(title);
    const said = [];
    serve.on('secureConnection', (socket) => {
      said.push(`  secure ${socket.getCipher().name} ${socket.getProtocol()} ${socket.authorized}`);
      socket.on('error', () => {});
      socket.end('hello');
    });
    serve.on('tlsClientError', (error) => said.push(`  server error ${error.code} ${error.code?.startsWith('ERR_SSL') ? '' : error.message}`));
    serve.listen(0, '127.0.0.1', () => {
      const socket = tls.connect({ port: serve.address().port, host: '127.0.0.1', ciphers: 'PSK+HIGH', checkServerIdentity() {}, ...clientOptions });
      socket.on('secureConnect', () => said.push(`  connected ${socket.authorized} ${socket.getPeerCertificate() && Object.keys(socket.getPeerCertificate()).length}`));
      socket.on('data', (data) => said.push(`  data ${data}`));
      socket.on('error', (error) => said.push(`  client error ${error.code} ${error.code?.startsWith('ERR_SSL') ? '' : error.message}`));
      socket.on('close', () =>
        serve.close(() => {
          for (const line of said.sort()) log(line);
          resolve();
        }),
      );
    });
  });
}
const client = (found) => ({
  pskCallback(hint) {
    log('  client asked', hint);
    return found;
  },
});

(async () => {
  const right = { psk: KEY, identity: 'someone' };
  await meet('TLS 1.2', server(known), { ...client(right), maxVersion: 'TLSv1.2' });
  await meet('TLS 1.3', server(known), { ...client(right), minVersion: 'TLSv1.3' });
  await meet('no hint', server(known, { pskIdentityHint: undefined }), { ...client(right), maxVersion: 'TLSv1.2' });
  await meet('an object', server(() => ({ psk: KEY })), { ...client(right), maxVersion: 'TLSv1.2' });
  await meet('a view', server(() => new Uint8Array(KEY)), { ...client({ psk: new Uint8Array(KEY), identity: 'x' }), maxVersion: 'TLSv1.2' });
  await meet('unknown', server(known), { ...client({ psk: KEY, identity: 'nobody' }), maxVersion: 'TLSv1.2' });
  await meet('another key', server(known), { ...client({ psk: Buffer.alloc(16), identity: 'someone' }), maxVersion: 'TLSv1.2' });
  for (const found of ['text', {}, { psk: 'text' }, { psk: Buffer.alloc(1000) }]) {
    await meet(`server gives ${JSON.stringify(found).slice(0, 20)}`, server(() => found), { ...client(right), maxVersion: 'TLSv1.2' });
  }
  for (const found of ['text', {}, { psk: 'text', identity: 'x' }, { psk: KEY }, { psk: KEY, identity: 3 }, { psk: KEY, identity: 'x'.repeat(1000) }, { psk: Buffer.alloc(1000), identity: 'x' }]) {
    await meet(`client gives ${JSON.stringify(found).slice(0, 20)}`, server(known), { ...client(found), maxVersion: 'TLSv1.2' });
  }
  const failing = () => {
    throw new RangeError('a failing function');
  };
  await meet('server throws', server(failing), { ...client(right), maxVersion: 'TLSv1.2' });
  await meet('client throws', server(known), { pskCallback: failing, maxVersion: 'TLSv1.2' });
  for (const make of [
    () => tls.createServer({ pskCallback: 5 }),
    () => tls.createServer({ pskCallback() {}, pskIdentityHint: 5 }),
    () => tls.connect({ port: 1, pskCallback: 5 }),
  ]) {
    try {
      make();
    } catch (error) {
      log(error.name, error.code, error.message);
    }
  }
})();
