'use strict';
// Owns: --tls-keylog: writes the keys of all connections to a file, for decrypting captured traffic; emits a warning once.

const startValues = require('internal/start_values');
let hasWarned = false;

function keep(line) {
  const { tlsKeylog: path } = startValues.tls;
  if (!hasWarned) {
    hasWarned = true;
    host.emitWarning(`Using --tls-keylog makes TLS connections insecure by writing secret key material to file ${path}`);
  }
  try {
    require('node/fs/sync').appendFileSync(path, line, { mode: 0o600 });
  } catch {
    return; // as in Node: failing to write the file does not fail the connection
  }
}

module.exports = { keep };
