'use strict';
// Owns: process.binding for packages older than Node's public interfaces. It exposes none of Node's internals: each binding
// has functions and values of today's public modules, under the old names; classes of handles are left out.

const runtimeParts = require('internal/parts');
const { ObjectKeys, StringSplit, StringStartsWith, intact } = require('internal/primordials');

const take = (source, names) => {
  const binding = {};
  for (let i = 0; i < names.length; i++) binding[names[i]] = source[names[i]];
  return binding;
};

const BUFFER_METHODS = [
  'asciiSlice',
  'asciiWrite',
  'base64Slice',
  'base64Write',
  'base64urlSlice',
  'base64urlWrite',
  'hexSlice',
  'hexWrite',
  'latin1Slice',
  'latin1Write',
  'ucs2Slice',
  'ucs2Write',
  'utf8Slice',
  'utf8Write',
  'copy',
  'fill',
  'swap16',
  'swap32',
  'swap64',
];
const TYPES = [
  'isAnyArrayBuffer',
  'isArrayBuffer',
  'isArrayBufferView',
  'isAsyncFunction',
  'isDataView',
  'isDate',
  'isExternal',
  'isMap',
  'isMapIterator',
  'isNativeError',
  'isPromise',
  'isRegExp',
  'isSet',
  'isSetIterator',
  'isTypedArray',
  'isUint8Array',
];

const BINDINGS = {
  __proto__: null,
  buffer() {
    const buffer = require('node/buffer/buffer');
    return {
      ...take(buffer, ['atob', 'btoa', 'isAscii', 'isUtf8', 'kMaxLength', 'kStringMaxLength']),
      byteLengthUtf8: (text) => buffer.Buffer.byteLength(text),
      compare: (a, b) => buffer.Buffer.compare(a, b),
      ...take(buffer.Buffer.prototype, BUFFER_METHODS),
    };
  },
  cares_wrap: () => ({
    /** An address in its shortest form, without its zone; undefined for anything else. */
    canonicalizeIP(text) {
      const { SocketAddress, isIP } = require('node/net/net');
      const family = isIP(`${text}`);
      if (family !== 6) return family === 4 ? `${text}` : undefined;
      return new SocketAddress({ address: StringSplit(`${text}`, '%')[0], family: 'ipv6' }).address;
    },
    AF_INET: 2,
    AF_INET6: 10,
    AF_UNSPEC: 0,
    AI_ADDRCONFIG: require('node/dns/dns').ADDRCONFIG,
    AI_ALL: require('node/dns/dns').ALL,
    AI_V4MAPPED: require('node/dns/dns').V4MAPPED,
    DNS_ORDER_VERBATIM: 0,
    DNS_ORDER_IPV4_FIRST: 1,
    DNS_ORDER_IPV6_FIRST: 2,
  }),
  config: () => ({
    isDebugBuild: false,
    hasOpenSSL: true,
    fipsMode: false,
    hasIntl: true,
    hasTracing: false,
    hasNodeOptions: true,
    hasInspector: true,
    noBrowserGlobals: false,
    bits: 64,
  }),
  constants: () => ({
    os: require('node/os').constants,
    fs: require('node/fs/fs').constants,
    crypto: require('node/crypto/crypto').constants,
    zlib: require('node/zlib/zlib').constants,
    trace: {},
  }),
  contextify() {
    const vm = require('node/vm/vm');
    return { ContextifyScript: vm.Script, compileFunction: vm.compileFunction };
  },
  fs() {
    const fs = require('node/fs/fs');
    return {
      ...take(fs, ['existsSync']),
      /** 0 for a file, 1 for a directory, negative for neither. */
      internalModuleStat(...given) {
        const stats = fs.statSync(given[given.length - 1], { throwIfNoEntry: false });
        return stats === undefined ? -2 : Number(stats.isDirectory());
      },
    };
  },
  fs_event_wrap: () => ({}),
  http_parser: () => ({
    methods: [...intact(require('node/http/http').METHODS)],
    allMethods: [...intact(require('node/http/http').METHODS)],
  }),
  /** The names of the built-in modules, each with an empty string as its source. */
  natives() {
    const binding = {};
    for (const name of intact(require('node/module/builtins').names())) if (!StringStartsWith(name, 'node:')) binding[name] = '';
    return binding;
  },
  icu: () => ({
    getStringWidth: (text) => require('internal/string_width').stringWidth(`${text}`),
    transcode: require('node/buffer/buffer').transcode,
    hasConverter(name) {
      try {
        return new (require('web/encoding/text').TextDecoder)(name).encoding !== '';
      } catch {
        return false;
      }
    },
  }),
  inspector: () => ({
    console: require('node/inspector/inspector').console,
    isEnabled: () => require('node/inspector/inspector').url() !== undefined,
  }),
  js_stream: () => ({}),
  os() {
    const os = require('node/os');
    return {
      getHostname: os.hostname,
      getUptime: os.uptime,
      getTotalMem: os.totalmem,
      getFreeMem: os.freemem,
      getHomeDirectory: os.homedir,
    };
  },
  pipe_wrap: () => ({ constants: { SOCKET: 0, SERVER: 1, IPC: 2, UV_READABLE: 1, UV_WRITABLE: 2 } }),
  spawn_sync: () => require('node/child_process/sync_binding').binding,
  stream_wrap: () => ({ kReadBytesOrError: 0, kArrayBufferOffset: 1, kBytesWritten: 2, kLastWriteWasAsync: 3, kLastWriteErr: 4 }),
  tcp_wrap: () => ({ constants: { SOCKET: 0, SERVER: 1, UV_TCP_IPV6ONLY: 1, UV_TCP_REUSEPORT: 2 } }),
  tls_wrap: () => ({ HAVE_SSL_TRACE: 1 }),
  tty_wrap: () => ({ isTTY: require('node/tty').isatty }),
  udp_wrap: () => ({ constants: { UV_UDP_IPV6ONLY: 1, UV_UDP_REUSEADDR: 4, UV_UDP_REUSEPORT: 64 } }),
  util: () => take(require('node/util/util').types, TYPES),
  uv() {
    const binding = { errname: (number) => require('node/util/util').getSystemErrorName(number) };
    for (const {
      0: number,
      1: { 0: name },
    } of intact(require('node/util/util').getSystemErrorMap()))
      binding[`UV_${name}`] = number;
    return binding;
  },
  zlib: () => ({
    crc32: require('node/zlib/zlib').crc32,
    Zlib: require('node/zlib/binding').Zlib,
    ...require('node/zlib/zlib').constants,
  }),
};

const bindings = { __proto__: null };

/** process.binding. Throws if today's Node has no such binding, or if it is for Node's own sources only. */
function binding(name) {
  if (runtimeParts.permission !== undefined) throw runtimeParts.permission.refusedAltogether('process.binding');
  const key = `${name}`;
  if (BINDINGS[key] === undefined) throw new Error(`No such module: ${key}`);
  return (bindings[key] ??= BINDINGS[key]());
}

module.exports = { binding, names: ObjectKeys(BINDINGS) };
