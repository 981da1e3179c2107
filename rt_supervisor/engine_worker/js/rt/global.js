// @ts-check
'use strict';
// Owns: the `RT` global: its members and the files that implement them. Members are loaded on first use; the object itself is
// in the start-up snapshot, and `start` adds values specific to a process.

const { defineLazily } = require('internal/lazy');
const runtimeParts = require('internal/parts');
const { ArrayIncludes, MathRound, ObjectCreate, ObjectDefineProperty, intact } = require('internal/primordials');
const native = host.native;

// file -> the members that it exports under the same names
const PARTS = {
  __proto__: null,
  'rt/files/glob': ['Glob'],
  'rt/router/file_system_router': ['FileSystemRouter'],
  'rt/archive/archive': ['Archive'],
  'rt/cron/cron': ['cron'],
  'rt/crypto/csrf': ['CSRF'],
  'rt/not_implemented': [
    'FFI',
    'FetchSession',
    'Image',
    'ModuleGraph',
    'S3Client',
    'Terminal',
    'WebView',
    'build',
    'jest',
    'openInEditor',
    'registerMacro',
    's3',
    'secrets',
  ],
  'rt/crypto/hash': ['hash'],
  'rt/files/mapped_file': ['mmap'],
  'rt/terminal/inspect': ['inspect'],
  'rt/modules/semver': ['semver'],
  'rt/terminal/color': ['color', 'enableANSIColors'],
  'rt/terminal/ansi_slice': ['sliceAnsi'],
  'rt/terminal/ansi_wrap': ['wrapAnsi'],
  'rt/modules/transpiler': ['Transpiler'],
  'rt/crypto/uuids': ['randomUUIDv5', 'randomUUIDv7'],
  'internal/bytes': ['allocUnsafe', 'concatArrayBuffers', 'indexOfLine', 'unsafe'],
  'rt/archive/compression': [
    'deflateSync',
    'inflateSync',
    'gzipSync',
    'gunzipSync',
    'zstdCompressSync',
    'zstdDecompressSync',
    'zstdCompress',
    'zstdDecompress',
  ],
  'rt/crypto/digests': ['CryptoHasher', 'MD4', 'MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA512_256', 'sha'],
  'rt/crypto/password': ['password'],
  'rt/documents/documents': ['TOML', 'JSON5', 'JSONC', 'JSONL', 'YAML', 'XML'],
  'rt/markdown/markdown': ['markdown'],
  'rt/files/paths': ['which', 'resolve', 'resolveSync', 'pathToFileURL', 'fileURLToPath'],
  'rt/files/file': ['file', 'write', 'stdin', 'stdout', 'stderr'],
  'rt/compare/deep_match': ['deepMatch'],
  'rt/shell/shell': ['$'],
  'rt/spawn/spawn': ['spawn'],
  'rt/spawn/spawn_sync': ['spawnSync'],
  'rt/terminal/text_width': ['stringWidth', 'stripANSI'],
  'rt/cookies/cookie': ['Cookie'],
  'rt/cookies/cookie_map': ['CookieMap'],
  'rt/files/array_buffer_sink': ['ArrayBufferSink'],
  'rt/files/stream_readers': [
    'readableStreamToArray',
    'readableStreamToArrayBuffer',
    'readableStreamToBytes',
    'readableStreamToBlob',
    'readableStreamToFormData',
    'readableStreamToJSON',
    'readableStreamToText',
  ],
  'rt/redis/client': ['RedisClient', 'redis'],
  'rt/sql/client': ['SQL', 'sql', 'postgres'],
  'rt/serve/serve': ['serve'],
  'rt/net/dns': ['dns'],
  'rt/modules/plugin': ['plugin'],
  'rt/net/udp_socket': ['udpSocket'],
  'rt/tcp/listen': ['listen'],
  'rt/tcp/connect': ['connect'],
  'rt/html/escape': ['escapeHTML'],
  'rt/net/fetch': ['fetch'],
  'rt/heap/snapshot': ['generateHeapSnapshot'],
  'rt/promises/peek': ['peek'],
  'rt/promises/sleep': ['sleep', 'sleepSync'],
};

const RT = {
  version: '',
  revision: '',
  version_with_sha: '',
  argv: [],
  main: undefined,
  origin: '',
  isStandaloneExecutable: false,
  embeddedFiles: [],
  get env() {
    return runtimeParts.process.process.env;
  },
  get cwd() {
    return host.cwd();
  },
  gc(isFull) {
    return native.process_collectGarbage(Boolean(isFull));
  },
  shrink() {
    native.process_collectGarbage(true);
  },
  nanoseconds: () => MathRound((native.now() - startedAt) * 1e6),
  deepEquals(a, b, isStrict = false) {
    return isStrict
      ? require('node/assert/deep_equal').isDeepStrictEqual(a, b)
      : require('rt/compare/deep_equals').deepEquals(a, b);
  },
};
for (const file in PARTS) {
  for (const name of intact(PARTS[file])) defineLazily(RT, name, () => require(file)[name]);
}
defineLazily(RT, 'isMainThread', () => runtimeParts.worker === undefined);
ObjectDefineProperty(RT, Symbol.toStringTag, { __proto__: null, value: 'RT', configurable: true });
let startedAt = 0;

// Programs written for Bun check `Bun.version`, which equals `process.versions.bun`. Bun inherits all other members.
const Bun = ObjectCreate(RT);

// Globals that Node does not have. Programs test for these, never for RT.
const NOT_NODE = ['alert', 'Bun', 'confirm', 'HTMLRewriter', 'PromiseRejectionEvent', 'prompt', 'reportError', 'self', 'Worker'];

/** Removes the globals that a program which sees Node only must not find; Node has EventSource only with a flag. */
function hideGlobals(config) {
  for (const name of intact(NOT_NODE)) delete globalThis[name];
  const { givenFlags } = require('internal/given_flags');
  if (!ArrayIncludes(givenFlags(config), '--experimental-eventsource')) delete globalThis.EventSource;
}

function start(config) {
  const { version, peerVersion, revision } = config;
  RT.version = version;
  RT.revision = revision;
  RT.version_with_sha = `v${version} (${revision})`;
  Bun.version = peerVersion;
  Bun.version_with_sha = `v${peerVersion} (${revision})`;
  RT.argv = config.argv;
  RT.main = config.main;
  startedAt = native.now();
  if (!config.isNode) return;
  hideGlobals(config);
  require('internal/stack').startHook();
}

module.exports = { RT, Bun, start };
