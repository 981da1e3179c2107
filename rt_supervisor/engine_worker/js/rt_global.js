'use strict';
// Owns: the `RT` global, as far as it is there.

const native = host.native;
const lazily = (object, name, make) => Object.defineProperty(object, name, {
  get() {
    const value = make();
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  },
  enumerable: true, configurable: true,
});

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };

const RT = {
  version: '',
  revision: '',
  argv: [],
  main: undefined,
  get env() { return globalThis.process.env; },
  get cwd() { return host.cwd(); },
  gc(force) { return native.process_collectGarbage(Boolean(force)); },
  sleep: (time) => new Promise((resolve) => {
    require('./timers').setTimeout(resolve, time instanceof Date ? time.getTime() - Date.now() : time);
  }),
  sleepSync(ms) { native.process_sleep(Number(ms)); },
  nanoseconds: () => Math.round((native.now() - startedAt) * 1e6),
  which: (name, options) => native.process_which(`${name}`, options?.PATH ?? globalThis.process.env.PATH ?? '', options?.cwd ?? host.cwd()) ?? null,
  pathToFileURL: (path) => new globalThis.URL(require('./file_url_host').pathToFileText(require('./path').resolve(path))),
  fileURLToPath: (url) => require('./file_url_host').fileURLToPath(url),
  escapeHTML: (text) => `${text}`.replace(/[&<>"']/g, (character) => ESCAPES[character]),
  file: (place, options) => require('./rt_file').file(place, options),
  write: (destination, data, options) => require('./rt_file').write(destination, data, options),
  deepEquals: (a, b, isStrict = false) => (isStrict ? require('./deep_equal').isDeepStrictEqual(a, b) : require('./rt_deep_equals').deepEquals(a, b)),
  spawn: (command, options) => require('./rt_spawn').spawn(command, options),
  spawnSync: (command, options) => require('./rt_spawn_sync').spawnSync(command, options),
  isMainThread: true,
  stringWidth(text, options) {
    const plain = `${text}`;
    return require('./string_width').stringWidth(options?.countAnsiEscapeCodes ? plain.replace(/\x1b/g, '') : plain);
  },
  resolveSync(specifier, from) {
    const [kind, path] = native.modules_resolve(`${specifier}`, `${from}/`, false);
    if (kind === 'failure') throw Object.assign(new Error(`Cannot find module '${specifier}' from '${from}'`), { code: 'ERR_MODULE_NOT_FOUND' });
    return path;
  },
  resolve: async (specifier, from) => RT.resolveSync(specifier, from),
  peek: Object.assign((promise) => {
    if (native.kindOf(promise) !== 'promise') return promise;
    const [state, value] = native.promiseDetails(promise);
    return state === 0 ? promise : value;
  }, { status: (promise) => (native.kindOf(promise) === 'promise' ? ['pending', 'fulfilled', 'rejected'][native.promiseDetails(promise)[0]] : 'fulfilled') }),
  TOML: { parse: (text) => native.modules_parseToml(`${text}`) },
};
let startedAt = 0;
lazily(RT, 'Glob', () => require('./rt_glob').Glob);
lazily(RT, 'hash', () => require('./rt_hash').hash);
lazily(RT, 'stdout', () => require('./rt_file').file(1));
lazily(RT, 'stderr', () => require('./rt_file').file(2));
lazily(RT, 'inspect', () => require('./rt_inspect').inspect);
RT.stdin = {
  text: () => new Promise((resolve) => native.process_stdinReadAll((bytes) => resolve(native.decodeUtf8(bytes)))),
  bytes: () => new Promise((resolve) => native.process_stdinReadAll(resolve)),
  arrayBuffer: () => new Promise((resolve) => native.process_stdinReadAll((bytes) => resolve(bytes.buffer))),
  json: () => RT.stdin.text().then(JSON.parse),
};

function start(config) {
  RT.version = config.version;
  RT.revision = config.revision;
  RT.argv = config.argv;
  RT.main = config.main;
  startedAt = native.now();
}

module.exports = { RT, start };
