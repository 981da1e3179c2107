// Sessions that a server stores and finds, ticket keys, renegotiation, and OCSP stapling.
const { ca: CA, cert: CERT, key: KEY } = require('../tls_identity.cjs');
const tls = require('node:tls');
const { constants } = require('node:crypto');
const log = (...all) => console.log(...all);
const identity = { key: KEY, cert: CERT, ca: CA };

function listening(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}
/** A connection from start to end; `meet(socket)` is called when it is secure. */
function connection(port, options, meet) {
  return new Promise((resolve) => {
    const socket = tls.connect({ port, host: '127.0.0.1', ca: CA, checkServerIdentity() {}, ...options }, () => meet?.(socket));
    socket.on('error', (error) => log('  client error', error.code));
    socket.on('close', () => resolve(socket));
    socket.resume();
  });
}

async function keptSessions(maxVersion) {
  log('kept sessions', maxVersion);
  const kept = new Map();
  const server = tls.createServer({ ...identity, maxVersion, secureOptions: constants.SSL_OP_NO_TICKET }, (socket) => socket.end('x'));
  server.on('newSession', (id, session, done) => {
    log('  new', id.length, Buffer.isBuffer(session), session.length > 100);
    kept.set(id.toString('hex'), session);
    setImmediate(done);
  });
  server.on('resumeSession', (id, found) => {
    log('  asked for', id.length, kept.has(id.toString('hex')));
    setImmediate(found, null, kept.get(id.toString('hex')) ?? null);
  });
  const port = await listening(server);
  let session;
  const first = await connection(port, {}, (socket) => {
    log('  reused', socket.isSessionReused());
    session = socket.getSession();
  });
  await connection(port, { session }, (socket) => log('  reused', socket.isSessionReused()));
  kept.clear();
  await connection(port, { session }, (socket) => log('  reused', socket.isSessionReused()));
  await new Promise((resolve) => server.close(resolve));
}

async function failingSessions() {
  log('failing answers');
  for (const answer of [(found) => found(new Error('no store')), (found) => (found(null, null), found(null, null))]) {
    const server = tls.createServer({ ...identity, maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET }, (socket) => socket.end());
    server.on('tlsClientError', (error) => log('  server error', error.code, error.message));
    server.on('resumeSession', (id, found) => answer(found));
    const port = await listening(server);
    let session;
    await connection(port, {}, (socket) => (session = socket.getSession()));
    await connection(port, { session });
    await new Promise((resolve) => server.close(resolve));
  }
}

async function tickets(version) {
  log('tickets', version);
  const keys = Buffer.alloc(48, 7);
  const server = tls.createServer({ ...identity, minVersion: version, maxVersion: version, ticketKeys: keys }, (socket) => socket.end('x'));
  log('  keys', server.getTicketKeys().equals(keys));
  const port = await listening(server);
  let session;
  const remember = (socket) => socket.once('session', (found) => (session ??= found));
  const visit = async () => {
    let reported = 0;
    let reused;
    await new Promise((resolve) => {
      const socket = tls.connect({ port, host: '127.0.0.1', ca: CA, checkServerIdentity() {}, session }, () => (reused = socket.isSessionReused()));
      socket.on('session', (found) => {
        reported++;
        session ??= found;
        log('  is its session', found.equals(socket.getSession()));
      });
      socket.on('close', resolve).resume();
    });
    log('  reused', reused, 'sessions', reported);
  };
  await visit();
  await visit();
  server.setTicketKeys(Buffer.alloc(48, 9));
  await visit();
  server.setTicketKeys(keys);
  await visit();
  await new Promise((resolve) => server.close(resolve));
}

async function again() {
  log('again');
  const server = tls.createServer({ ...identity, maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', (error) => {
      log('  server error', error.code);
      socket.destroy();
    });
    socket.on('data', (data) => {
      if (String(data) === 'no more') socket.disableRenegotiation();
      socket.write(data);
    });
  });
  const port = await listening(server);
  await connection(port, {}, (socket) => {
    log('  asked', socket.renegotiate({}, (error) => {
      log('  done', error);
      socket.write('no more');
      socket.once('data', () => socket.renegotiate({}, () => log('  never')));
    }));
  });
  log('  gone', await new Promise((resolve) => {
    const socket = tls.connect({ port, host: '127.0.0.1', ca: CA, checkServerIdentity() {}, minVersion: 'TLSv1.2' }, () => {
      socket.destroy();
      resolve(socket.renegotiate({}, () => {}));
    });
  }));
  for (const wrong of [[], [null], [{}, 'x']]) {
    try {
      new tls.TLSSocket().renegotiate(...wrong);
    } catch (error) {
      log('  ', error.code, error.message);
    }
  }
  await new Promise((resolve) => server.close(resolve));
  const newest = tls.createServer(identity, (socket) => socket.end('x'));
  await connection(await listening(newest), {}, (socket) => log('  TLS 1.3', socket.renegotiate({}, (error) => log('  refused', error.code, error.message))));
  await new Promise((resolve) => newest.close(resolve));
}

async function statuses() {
  log('statuses');
  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    for (const response of [Buffer.from('of the issuer'), null]) {
      const server = tls.createServer({ ...identity, maxVersion: version }, (socket) => socket.end());
      server.on('OCSPRequest', (certificate, issuer, answer) => {
        log('  asked', certificate.equals(new (require('node:crypto').X509Certificate)(CERT).raw), issuer?.equals(new (require('node:crypto').X509Certificate)(CA).raw));
        setImmediate(answer, null, response);
      });
      const port = await listening(server);
      await new Promise((resolve) => {
        const socket = tls.connect({ port, host: '127.0.0.1', ca: CA, checkServerIdentity() {}, requestOCSP: true }, () => log('  secure'));
        socket.on('OCSPResponse', (found) => log('  reported', found && String(found)));
        socket.on('close', resolve).resume();
      });
      await connection(port, {}, () => log('  unasked'));
      await new Promise((resolve) => server.close(resolve));
    }
  }
  const server = tls.createServer(identity);
  server.on('OCSPRequest', (certificate, issuer, answer) => answer(new Error('no responder')));
  server.on('tlsClientError', (error) => log('  server error', error.message));
  const port = await listening(server);
  await connection(port, { requestOCSP: true });
  await new Promise((resolve) => server.close(resolve));
}

async function choices() {
  log('choices');
  const server = tls.createServer({
    ...identity,
    ALPNCallback({ servername, protocols }) {
      log('  protocols', servername, protocols.join());
      if (protocols[0] === 'throws') throw new Error('a failing choice');
      return protocols[0] === 'refused' ? undefined : protocols[0] === 'wrong' ? 'other' : protocols.at(-1);
    },
    SNICallback(name, answer) {
      log('  name', name);
      if (name === 'throws.test') throw new Error('a failing name');
      answer(null, name === 'empty.test' ? tls.createSecureContext({}) : name === 'odd.test' ? {} : null);
    },
  }, (socket) => socket.end());
  server.on('tlsClientError', (error) => log('  server error', error.code?.startsWith('ERR_SSL') ? error.code : error.message));
  const port = await listening(server);
  for (const options of [
    { ALPNProtocols: ['a', 'b'] },
    { ALPNProtocols: ['refused'] },
    { ALPNProtocols: ['wrong', 'x'] },
    { ALPNProtocols: ['throws'] },
    { servername: 'server.test' },
    { servername: 'empty.test' },
    { servername: 'throws.test' },
    {},
  ]) {
    await connection(port, options, (socket) => {
      log('  secure', socket.alpnProtocol, socket.servername, socket.getSharedSigalgs().length);
    });
  }
  await new Promise((resolve) => server.close(resolve));
  const few = tls.createServer({ ...identity, sigalgs: 'ECDSA+SHA256:ed25519' }, (socket) => {
    log('  shared', socket.getSharedSigalgs().join());
    socket.end();
  });
  await connection(await listening(few), {});
  await new Promise((resolve) => few.close(resolve));
}

(async () => {
  await keptSessions('TLSv1.2');
  await failingSessions();
  await tickets('TLSv1.2');
  await tickets('TLSv1.3');
  await again();
  await statuses();
  await choices();
})();
