'use strict';
// Owns: `export default { fetch }`: the main module's default export is served, and it is told where.

const { serve: serveOptions } = require('rt/serve/serve');

function serve(exported) {
  const server = serveOptions(exported);
  const place = server.address;
  const kind = server.development ? 'development ' : '';
  globalThis.console.debug(`Started ${kind}server: ${typeof place === 'string' ? place : server.url.href.replace(/\/$/, '')}`);
}

module.exports = { serve };
