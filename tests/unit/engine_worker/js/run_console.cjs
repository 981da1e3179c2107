'use strict';
// Runs a script with rt's console in place of Node's: node --expose-internals run_console.cjs FILE [DEPTH]

const fs = require('node:fs');
const path = require('node:path');
const { load } = require('./load.cjs');
const { host } = require('./host.cjs');

const requireModule = load(host);
globalThis.console = requireModule('console').createConsole({
  writeOut: (text) => fs.writeSync(1, text),
  writeErr: (text) => fs.writeSync(2, text),
  depth: Number(process.argv[3] ?? 2),
  colorsOut: false,
  colorsErr: false,
  now: () => performance.now(),
});
Object.assign(globalThis, { URL: requireModule('url').URL, URLSearchParams: requireModule('url').URLSearchParams });
require(path.resolve(process.argv[2]));
