// @ts-check
'use strict';
// Owns: `export default { fetch }`: serves the main module's default export and prints its address.

const runtimeParts = require('internal/parts');
const { RegExpReplace } = require('internal/primordials');
const { serve: serveOptions } = require('rt/serve/serve');

function serve(exported) {
  const server = serveOptions(exported);
  const place = server.address;
  const kind = server.development ? 'development ' : '';
  runtimeParts.console.debug(
    `Started ${kind}server: ${typeof place === 'string' ? place : RegExpReplace(/\/$/, server.url.href, '')}`,
  );
}

module.exports = { serve };
