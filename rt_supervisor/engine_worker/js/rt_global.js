'use strict';
// Owns: the `RT` global: what is on it and where each part comes from. Parts are loaded when they are first used; the
// object itself lies in the start-up snapshot, and `start` adds what only a process knows.

const native = host.native;

const settle = (object, name, value) => {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  return value;
};
const lazily = (object, name, make) => Object.defineProperty(object, name, {
  get: () => settle(object, name, make()),
  set: (value) => { settle(object, name, value); },
  enumerable: true, configurable: true,
});

// Each part: the file that has it, under its own name unless said otherwise.
const PARTS = {
  __proto__: null,
  rt_glob: ['Glob'],
  rt_hash: ['hash'],
  rt_inspect: ['inspect'],
  rt_semver: ['semver'],
  rt_color: ['color', 'enableANSIColors'],
  rt_ansi_slice: ['sliceAnsi'],
  rt_ansi_wrap: ['wrapAnsi'],
  rt_transpiler: ['Transpiler'],
  rt_ids: ['randomUUIDv5', 'randomUUIDv7'],
  rt_bytes: ['allocUnsafe', 'concatArrayBuffers', 'indexOfLine', 'unsafe'],
  rt_compression: ['deflateSync', 'inflateSync', 'gzipSync', 'gunzipSync'],
  rt_digests: ['CryptoHasher', 'MD4', 'MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA512_256', 'sha'],
  rt_password: ['password'],
  rt_documents: ['TOML', 'JSON5', 'JSONC', 'JSONL', 'YAML'],
  rt_places: ['which', 'resolve', 'resolveSync', 'pathToFileURL', 'fileURLToPath'],
  rt_file: ['file', 'write', 'stdin', 'stdout', 'stderr'],
  rt_deep_match: ['deepMatch'],
  rt_spawn: ['spawn'],
  rt_spawn_sync: ['spawnSync'],
  rt_text_width: ['stringWidth', 'stripANSI'],
  rt_small: ['escapeHTML', 'peek', 'sleep', 'sleepSync'],
};

const RT = {
  version: '',
  revision: '',
  version_with_sha: '',
  argv: [],
  main: undefined,
  origin: '',
  isMainThread: true,
  isStandaloneExecutable: false,
  embeddedFiles: [],
  get env() { return globalThis.process.env; },
  get cwd() { return host.cwd(); },
  gc(isFull) { return native.process_collectGarbage(Boolean(isFull)); },
  shrink() { native.process_collectGarbage(true); },
  nanoseconds: () => Math.round((native.now() - startedAt) * 1e6),
  deepEquals(a, b, isStrict = false) {
    return isStrict ? require('./deep_equal').isDeepStrictEqual(a, b) : require('./rt_deep_equals').deepEquals(a, b);
  },
};
for (const file in PARTS) {
  for (const name of PARTS[file]) lazily(RT, name, () => require(file)[name]);
}
Object.defineProperty(RT, Symbol.toStringTag, { value: 'RT', configurable: true });
let startedAt = 0;

function start(config) {
  RT.version = config.version;
  RT.revision = config.revision;
  RT.version_with_sha = `v${config.version} (${config.revision})`;
  RT.argv = config.argv;
  RT.main = config.main;
  startedAt = native.now();
}

module.exports = { RT, start };
