// A worker trusts the certificates named by its own flags and environment, not its parent's. The system store is a file
// with one certificate.
const { Worker } = require('node:worker_threads');
const { spawnSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { ca } = require('../tls_identity.cjs');

const PROGRAM = `const { parentPort } = require('node:worker_threads');
const tls = require('node:tls');
const { X509Certificate } = require('node:crypto');
const named = (type) => tls.getCACertificates(type).some((each) => new X509Certificate(each).subject.includes('Test CA'));
parentPort.postMessage([named('default'), named('bundled'), named('system')]);`;
const asked = (options) =>
  new Promise((resolve) => {
    new Worker(PROGRAM, { eval: true, ...options }).on('message', resolve);
  });
const { NODE_USE_SYSTEM_CA, NODE_EXTRA_CA_CERTS, NODE_OPTIONS, ...env } = process.env;

if (process.argv[2] === undefined) {
  writeFileSync('store.pem', ca);
  for (const flags of [[], ['--use-system-ca'], ['--no-use-system-ca']]) {
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, __filename, 'child'], {
      encoding: 'utf8',
      env: { ...env, SSL_CERT_FILE: `${process.cwd()}/store.pem`, SSL_CERT_DIR: `${process.cwd()}/none` },
    });
    console.log(flags.join(), stdout, stderr.includes('Error'));
  }
} else {
  (async () => {
    console.log(String(await asked({})));
    console.log(String(await asked({ execArgv: [], env })));
    console.log(String(await asked({ execArgv: ['--use-system-ca'], env })));
    console.log(String(await asked({ execArgv: [], env: { ...env, NODE_USE_SYSTEM_CA: '1' } })));
    console.log(String(await asked({ execArgv: ['--no-use-system-ca'], env: { ...env, NODE_USE_SYSTEM_CA: '1' } })));
  })();
}
