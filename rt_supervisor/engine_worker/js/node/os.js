'use strict';
// Owns: node:os.

const runtimeParts = require('internal/parts');
const { RegExpMatch } = require('internal/patterns');
const native = host.native;
const {
  ArrayPush,
  ArrayReduce,
  NumberToString,
  ObjectAssign,
  ObjectCreate,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectFreeze,
  StringEndsWith,
  StringIncludes,
  StringSplit,
  intact,
} = require('internal/primordials');
const { validateInteger, validateObject } = require('internal/validators');
const { readOnly } = require('internal/read_only');
const { NUMBERS } = require('internal/signals');

const PRIORITIES = {
  __proto__: null,
  PRIORITY_LOW: 19,
  PRIORITY_BELOW_NORMAL: 10,
  PRIORITY_NORMAL: 0,
  PRIORITY_ABOVE_NORMAL: -7,
  PRIORITY_HIGH: -14,
  PRIORITY_HIGHEST: -20,
};
const constants = { __proto__: null, UV_UDP_REUSEADDR: 4 };
constants.dlopen = ObjectAssign(ObjectCreate(null), {
  RTLD_LAZY: 1,
  RTLD_NOW: 2,
  RTLD_GLOBAL: 256,
  RTLD_LOCAL: 0,
  RTLD_DEEPBIND: 8,
});
constants.errno = require('node/os_errno');
constants.signals = ObjectFreeze(ObjectAssign(ObjectCreate(null), NUMBERS));
constants.priority = PRIORITIES;
for (const each of intact([constants, constants.dlopen, constants.errno, constants.priority])) readOnly(each);

const PREFIX_BITS = (netmask) => {
  const isV6 = StringIncludes(netmask, ':');
  if (!isV6)
    return ArrayReduce(
      StringSplit(netmask, '.'),
      (sum, part) => sum + (RegExpMatch(/1/g, NumberToString(Number(part), 2))?.length ?? 0),
      0,
    );
  return ArrayReduce(
    StringSplit(netmask, ':'),
    (sum, part) => sum + (part === '' ? 0 : (RegExpMatch(/1/g, NumberToString(parseInt(part, 16), 2))?.length ?? 0)),
    0,
  );
};

/** Returns the result of a system call; throws its failure as Node's SystemError. */
function callSystem(syscall, work) {
  try {
    return work();
  } catch (error) {
    if (typeof error.errno !== 'number') throw error;
    const { errno, code } = error;
    const message = require('internal/errors/errno').getSystemErrorMessage(errno);
    throw require('internal/errors/system_error').systemError('ERR_SYSTEM_ERROR', 'A system error occurred', {
      errno,
      code,
      message,
      syscall,
    });
  }
}

/** Makes a function that also converts to its result as a string, so that `${os.hostname}` works. */
function textual(work) {
  ObjectDefineProperty(work, Symbol.toPrimitive, { __proto__: null, value: () => work(), configurable: true });
  return work;
}

const os = {
  arch: textual(function arch() {
    return runtimeParts.process.process.arch;
  }),
  availableParallelism: textual(function availableParallelism() {
    return native.os_parallelism();
  }),
  cpus: () => native.os_processors(),
  endianness: textual(function endianness() {
    return native.os_isBigEndian() ? 'BE' : 'LE';
  }),
  freemem: textual(function freemem() {
    return native.os_memory()[1];
  }),
  getPriority(pid = 0) {
    validateInteger(pid, 'pid', -2147483648, 2147483647);
    return callSystem('uv_os_getpriority', () => native.os_priority(pid));
  },
  homedir: textual(function homedir() {
    return runtimeParts.process.process.env.HOME || native.os_user().homedir;
  }),
  hostname: textual(function hostname() {
    return native.os_names()[1];
  }),
  loadavg: () => native.os_loads(),
  networkInterfaces() {
    const interfaces = {};
    for (let index = 0, list = native.os_interfaces(); index < list.length; index++) {
      const { name, address, netmask, family, mac, internal, scopeid } = list[index];
      const entry = { address, netmask, family, mac, internal, cidr: netmask ? `${address}/${PREFIX_BITS(netmask)}` : null };
      if (scopeid !== undefined) entry.scopeid = scopeid;
      ArrayPush((interfaces[name] ??= []), entry);
    }
    return interfaces;
  },
  platform: textual(function platform() {
    return runtimeParts.process.process.platform;
  }),
  release: textual(function release() {
    return native.os_names()[2];
  }),
  setPriority(pid, priority) {
    if (priority === undefined) [pid, priority] = intact([0, pid]);
    validateInteger(pid, 'pid', -2147483648, 2147483647);
    validateInteger(priority, 'priority', -20, 19);
    callSystem('uv_os_setpriority', () => native.os_setPriority(pid, priority));
  },
  tmpdir: textual(function tmpdir() {
    const { TMPDIR, TMP, TEMP } = runtimeParts.process.process.env;
    const path = TMPDIR || TMP || TEMP || '/tmp';
    return path.length > 1 && StringEndsWith(path, '/') ? path.slice(0, -1) : path;
  }),
  totalmem: textual(function totalmem() {
    return native.os_memory()[0];
  }),
  type: textual(function type() {
    return native.os_names()[0];
  }),
  userInfo(options) {
    if (options !== undefined) validateObject(options, 'options');
    const { uid, gid, username, homedir, shell } = native.os_user();
    const as = (text) => (options?.encoding === 'buffer' ? require('node/buffer/buffer').Buffer.from(text) : text);
    return { __proto__: null, uid, gid, username: as(username), homedir: as(homedir), shell: as(shell) };
  },
  uptime: textual(function uptime() {
    return native.os_uptime();
  }),
  version: textual(function version() {
    return native.os_names()[3];
  }),
  machine: textual(function machine() {
    return native.os_names()[4];
  }),
};
ObjectDefineProperties(os, {
  constants: { __proto__: null, value: constants, enumerable: true },
  EOL: { __proto__: null, value: '\n', enumerable: true, configurable: true },
  devNull: { __proto__: null, value: '/dev/null', enumerable: true, configurable: true },
});

module.exports = os;
