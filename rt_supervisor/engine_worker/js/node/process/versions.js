// @ts-check
'use strict';
// Owns: process.versions and process.config. Components of Node that rt does not have are omitted; a test compares the
// versions with what is built in.

const { ObjectDefineProperty, ObjectFreeze } = require('internal/primordials');

const MODULES = '147'; // the addon ABI version: that of the Node version that rt follows
const NAPI = '10';
const EMBEDDED = {
  brotli: '1.0.9',
  cldr: '47.0',
  icu: '77.1',
  modules: MODULES,
  napi: NAPI,
  openssl: '3.5.5',
  tz: '2025b',
  unicode: '16.0',
  zlib: '1.2.8',
  zstd: '1.5.7',
};

function versions({ nodeVersion, peerVersion, version, v8Version, isNode }) {
  const own = isNode ? { rt: version } : { rt: version, bun: peerVersion };
  const versions = { node: nodeVersion, ...own, v8: v8Version, ...EMBEDDED };
  // SQLite's version is read on demand, because SQLite is loaded lazily.
  ObjectDefineProperty(versions, 'sqlite', {
    __proto__: null,
    get: () => host.native.sqlite_version(),
    enumerable: true,
    configurable: true,
  });
  return versions;
}

/** What programs inspect before they build or load something, with the names of Node's build. */
const buildConfig = (arch) =>
  ObjectFreeze({
    __proto__: Object.prototype,
    target_defaults: ObjectFreeze({ cflags: ObjectFreeze([]), defines: ObjectFreeze([]), default_configuration: 'Release' }),
    variables: ObjectFreeze({
      asan: 0,
      coverage: false,
      host_arch: arch,
      icu_small: false,
      is_debug: 0,
      napi_build_version: NAPI,
      node_builtin_shareable_builtins: ObjectFreeze([]),
      node_byteorder: 'little',
      node_module_version: Number(MODULES),
      node_prefix: '/',
      node_shared: false,
      node_shared_openssl: false,
      node_use_amaro: true,
      node_use_openssl: true,
      node_use_sqlite: true,
      shlib_suffix: `so.${MODULES}`,
      target_arch: arch,
      v8_enable_i18n_support: 1,
      v8_enable_pointer_compression: 1,
      v8_enable_inspector: 1,
      v8_enable_webassembly: 1,
    }),
  });

module.exports = { versions, buildConfig };
