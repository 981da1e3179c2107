'use strict';
// Owns: --tls-keylog: the keys of all connections in one file, for whoever reads what is on the wire; told once.

const startValues = require('internal/start_values');
let isTold = false;

function keep(line) {
  const { tlsKeylog: path } = startValues.tls;
  if (!isTold) {
    isTold = true;
    host.emitWarning(`Using --tls-keylog makes TLS connections insecure by writing secret key material to file ${path}`);
  }
  try {
    require('node/fs/sync').appendFileSync(path, line, { mode: 0o600 });
  } catch {
    return; // as in Node: a file that cannot be written to is no failure of the connection
  }
}

module.exports = { keep };
