'use strict';
// Owns: the list of built-in specifiers and their modules. They match exactly, with and without "node:".

const { setOf } = require('internal/collections');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const {
  ArrayFilter,
  ArrayIncludes,
  ArrayMap,
  ArrayPush,
  ArraySort,
  ObjectHasOwn,
  ObjectKeys,
  SetHas,
  StringIncludes,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');

// specifier -> internal module; a specifier whose internal module does not exist is not built in.
const SOURCES = {
  __proto__: null,
  'assert': 'node/assert/assert',
  'assert/strict': 'node/assert/assert',
  'async_hooks': 'node/async_hooks/async_hooks',
  'buffer': 'node/buffer/buffer',
  'child_process': 'node/child_process/child_process',
  'cluster': 'node/cluster/cluster',
  'console': 'node/console',
  'constants': 'node/constants',
  'crypto': 'node/crypto/crypto',
  'dgram': 'node/dgram/dgram',
  'diagnostics_channel': 'node/diagnostics_channel/diagnostics_channel',
  'dns': 'node/dns/dns',
  'dns/promises': 'node/dns/dns',
  'domain': 'node/domain/domain',
  'events': 'node/events/events',
  'fs': 'node/fs/fs',
  'fs/promises': 'node/fs/promises',
  'inspector': 'node/inspector/inspector',
  'inspector/promises': 'node/inspector/promises',
  'http': 'node/http/http',
  'https': 'node/https/https',
  'http2': 'node/http2/http2',
  '_http_agent': 'node/http/agent',
  '_http_client': 'node/http/client',
  '_http_common': 'node/http/common_module',
  '_http_incoming': 'node/http/incoming',
  '_http_outgoing': 'node/http/outgoing',
  '_http_server': 'node/http/server',
  'module': 'node/module/module',
  'net': 'node/net/net',
  'os': 'node/os',
  'path': 'node/path/path',
  'path/posix': 'node/path/path',
  'path/win32': 'node/path/path',
  'perf_hooks': 'node/perf_hooks/perf_hooks',
  'process': 'node/process/process',
  'punycode': 'internal/punycode',
  'querystring': 'node/querystring',
  'readline': 'node/readline/readline',
  'readline/promises': 'node/readline/promises',
  'repl': 'node/repl/repl',
  'rt': 'rt/builtin',
  'bun': 'rt/builtin_bun',
  'rt:jsc': 'rt/modules/engine_internals',
  'bun:jsc': 'rt/modules/engine_internals',
  'rt:bundle': 'rt/modules/bundle',
  'bun:bundle': 'rt/modules/bundle',
  'rt:ws': 'rt/ws/ws',
  'rt:sqlite': 'rt/sqlite/sqlite',
  'bun:sqlite': 'rt/sqlite/sqlite',
  'sqlite': 'node/sqlite/sqlite',
  'sea': 'node/sea',
  'stream': 'node/stream/stream',
  'stream/consumers': 'node/stream/consumers',
  'stream/promises': 'node/stream/promises',
  'stream/web': 'web/streams/all',
  'string_decoder': 'node/string_decoder',
  'sys': 'node/util/util',
  'test': 'node/test/test',
  'test/reporters': 'node/test/reporters',
  'timers': 'node/timers/timers',
  'timers/promises': 'node/timers/promises',
  'tls': 'node/tls/tls',
  'trace_events': 'node/trace_events/trace_events',
  'tty': 'node/tty',
  'url': 'node/url/url',
  'util': 'node/util/util',
  'util/types': 'node/util/util',
  'v8': 'node/v8',
  'vm': 'node/vm/vm',
  'wasi': 'node/wasi/wasi',
  'worker_threads': 'node/worker_threads/worker_threads',
  'zlib': 'node/zlib/zlib',
};
const PARTS = {
  __proto__: null,
  'assert/strict': (assert) => assert.strict,
  'path/posix': (path) => path.posix,
  'path/win32': (path) => path.win32,
  '_http_agent': ({ Agent, globalAgent }) => ({ Agent, globalAgent: globalAgent() }),
  '_http_outgoing': ({ OutgoingMessage, parseUniqueHeaders }) => ({
    OutgoingMessage,
    parseUniqueHeadersOption: parseUniqueHeaders,
  }),
  'util/types': (util) => util.types,
  'dns/promises': (dns) => dns.promises,
  'process': () => runtimeParts.process.process,
};
const submodules = { __proto__: null }; // created modules
// Built in only with the prefix `node:`, as in Node.
const ONLY_PREFIXED = setOf(['ffi', 'sea', 'sqlite', 'test', 'test/reporters']);
// Modules that are not implemented: they can be imported and throw when used. To implement one, add it to SOURCES and remove
// it here and in `missing/table`.
const MISSING = setOf(['_tls_common', '_tls_wrap', 'bun:ffi', 'bun:test', 'ffi', 'rt:ffi', 'rt:test']);

const idOf = (specifier) => (StringStartsWith(specifier, 'node:') ? StringSlice(specifier, 5) : specifier);
const isBuilt = (id) => id in SOURCES && host.hasModule(SOURCES[id]);
const isThere = (id) => isBuilt(id) || SetHas(MISSING, id);

/**
 * The name of a builtin as returned by import.meta.resolve and RT.resolve: with a scheme, except rt's and the peer's own
 * module.
 */
const shownName = (name) => (name === 'bun' || name === 'rt' || StringIncludes(name, ':') ? name : `node:${name}`);

function isBuiltin(specifier) {
  const id = idOf(`${specifier}`);
  return isThere(id) && (StringStartsWith(specifier, 'node:') || !SetHas(ONLY_PREFIXED, id));
}

function load(specifier) {
  const id = idOf(specifier);
  if (!isBuilt(id)) return require('node/missing/missing').load(id);
  const exported = require(SOURCES[id]);
  if (id === 'fs') runtimeParts.publicFs ??= { __proto__: null, module: exported, readFileSync: exported.readFileSync };
  return id in PARTS ? (submodules[id] ??= PARTS[id](exported)) : exported;
}

/** Programs that see Node only do not see the modules of rt and its peer in the list. */
const isListed = (id) => startValues.programName !== 'node' || !(id === 'bun' || id === 'rt' || StringIncludes(id, ':'));

/** All specifiers, including those that require the prefix, sorted. */
const names = () =>
  ArraySort(
    ArrayMap(
      ArrayFilter([...intact(setOf([...intact(ArrayFilter(ObjectKeys(SOURCES), isBuilt)), ...intact(MISSING)]))], isListed),
      (id) => (SetHas(ONLY_PREFIXED, id) ? `node:${id}` : id),
    ),
  );

const loadList = [];

/** `process.moduleLoadList`: the modules whose code has run, in one growing array. */
function loadedModules() {
  for (const id in SOURCES) {
    const name = `NativeModule ${id}`;
    if (host.isLoaded(SOURCES[id]) && !ArrayIncludes(loadList, name)) ArrayPush(loadList, name);
  }
  return loadList;
}

/** Members that can be imported but are not listed in the module's exports, because Node has them only with a flag. */
const UNLISTED = { __proto__: null, vm: ['Module', 'SourceTextModule', 'SyntheticModule'] };

/** The names that can be imported from the module. */
function namesOf(id, exported) {
  const extras = UNLISTED[idOf(id)];
  if (id === 'bun') return ObjectKeys(load('rt')); // which Bun inherits from
  return extras === undefined ? ObjectKeys(exported) : [...intact(ObjectKeys(exported)), ...intact(extras)];
}

/** The module's current values of `names`; undefined for deleted ones. */
function valuesOf(id, names) {
  const exported = load(id);
  return ArrayMap(names, (name) => {
    if (name === 'default') return exported.__esModule ? exported.default : exported;
    return id === 'bun' || ObjectHasOwn(exported, name) ? exported[name] : undefined;
  });
}

module.exports = { valuesOf, namesOf, loadedModules, SOURCES, MISSING, isBuiltin, shownName, load, names, idOf };
