'use strict';
// Owns: which specifiers are built in, and the module each stands for. They match exactly, with and without "node:".

// builtin id -> internal module; a module that is not there yet is no builtin either.
const SOURCES = {
  __proto__: null,
  'assert': 'assert', 'assert/strict': 'assert', 'buffer': 'buffer', 'child_process': 'child_process', 'console': 'console_builtin', 'events': 'events',
  'fs': 'fs', 'fs/promises': 'fs_promises', 'module': 'module_builtin', 'os': 'os', 'path': 'path',
  'path/posix': 'path', 'path/win32': 'path', 'process': 'process', 'querystring': 'querystring',
  'stream': 'stream', 'stream/consumers': 'stream_consumers', 'stream/promises': 'stream_promises', 'stream/web': 'web_streams', 'string_decoder': 'string_decoder', 'timers': 'timers_builtin', 'timers/promises': 'timers_promises', 'punycode': 'punycode',
  'url': 'url', 'util': 'util', 'util/types': 'util', 'perf_hooks': 'perf_hooks', 'tty': 'tty', 'rt': 'rt_builtin', 'net': 'net', 'dns': 'dns', 'dns/promises': 'dns', 'readline': 'readline', 'readline/promises': 'readline_promises',
};
const PARTS = {
  __proto__: null,
  'assert/strict': (assert) => assert.strict, 'path/posix': (path) => path.posix, 'path/win32': (path) => path.win32,
  'util/types': (util) => util.types, 'dns/promises': (dns) => dns.promises, 'process': () => globalThis.process,
};
const ONLY_PREFIXED = new Set();

const idOf = (specifier) => (specifier.startsWith('node:') ? specifier.slice(5) : specifier);
const isThere = (id) => id in SOURCES && host.hasModule(SOURCES[id]);

function isBuiltin(specifier) {
  const id = idOf(`${specifier}`);
  return isThere(id) && (specifier.startsWith('node:') || !ONLY_PREFIXED.has(id));
}

function load(specifier) {
  const id = idOf(specifier);
  const exported = require(SOURCES[id]);
  return id in PARTS ? PARTS[id](exported) : exported;
}

const names = () => Object.keys(SOURCES).filter(isThere);

module.exports = { isBuiltin, load, names, idOf };
