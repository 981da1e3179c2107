'use strict';
// Owns: process.permission and the permissions granted with `--permission`. The native module enforces file permissions
// (native/src/files/permission.rs), since it also reads modules; the others are a set of scopes. Permissions can only be
// dropped. Loaded only with the flag.

const { native } = host;
const runtimeParts = require('internal/parts');
const {
  ArrayBufferIsView,
  ArrayIncludes,
  ArrayMap,
  ArrayPush,
  ErrorCaptureStackTrace,
  ObjectAssign,
  ObjectDefineProperty,
  RegExpReplace,
  RegExpTest,
  SetAdd,
  SetDelete,
  SetHas,
  StringIncludes,
  intact,
} = require('internal/primordials');
const { normalizeFlag } = require('internal/given_flags');
const { validateString } = require('internal/validators');

const READ = 0;
const WRITE = 1;

// Scopes by the names that programs use: Node's name of the permission, and the flag that grants it.
const SCOPES = {
  __proto__: null,
  fs: { name: 'FileSystem', flag: 'fs-read' },
  'fs.read': { name: 'FileSystemRead', flag: 'fs-read' },
  'fs.write': { name: 'FileSystemWrite', flag: 'fs-write' },
  child: { name: 'ChildProcess', flag: 'child-process' },
  worker: { name: 'WorkerThreads', flag: 'worker' },
  wasi: { name: 'WASI', flag: 'wasi' },
  inspector: { name: 'Inspector', flag: 'inspector' },
  net: { name: 'Net', flag: 'net' },
  addon: { name: 'Addon', flag: 'addons' },
  ffi: { name: 'FFI', flag: 'ffi' },
};
const EXPERIMENTAL = ['net'];
const DANGEROUS = ['addons', 'child-process', 'inspector', 'wasi', 'worker'];

const granted = new Set(); // flags of scopes without paths
let limits;

/** Whether a permission is granted, for a path if one is given. */
function isGranted(scope, path) {
  if (scope === 'fs') return isGranted('fs.read', undefined) && isGranted('fs.write', undefined);
  if (scope === 'fs.read') return native.filesAllowed(READ, path);
  if (scope === 'fs.write') return native.filesAllowed(WRITE, path);
  return SetHas(granted, SCOPES[scope].flag);
}

function publishDenial(scope, resource) {
  const channel = scope === 'fs.read' || scope === 'fs.write' ? 'fs' : scope;
  runtimeParts.publish?.(`node:permission-model:${channel}`, { permission: SCOPES[scope].name, resource, drop: undefined });
}

/** The error of a denied access; `text` replaces the standard message. */
function deniedError(permission, resource, text) {
  const error = new Error(text);
  ErrorCaptureStackTrace(error, deniedError);
  return ObjectAssign(error, { code: 'ERR_ACCESS_DENIED', permission, resource });
}

/** The error if the program may not access `resource` in this scope; otherwise undefined. */
function refusal(scope, resource, text = undefined) {
  const path = scope === 'fs.read' || scope === 'fs.write' ? resource : undefined;
  if (isGranted(scope, path)) return undefined;
  const shown = typeof resource === 'string' || resource === undefined ? (resource ?? '') : native.decodeUtf8(resource);
  publishDenial(scope, shown);
  if (limits.isAudit) return undefined;
  const { name, flag } = SCOPES[scope];
  return deniedError(name, shown, text ?? wordsOf(flag));
}

const wordsOf = (flag) => `Access to this API has been restricted. Use --allow-${flag} to manage permissions.`;
const netDenial = (address) => deniedError('Net', address ?? '', wordsOf('net'));

/** Throws if the program may not access `resource` in this scope. */
function check(scope, resource, text = undefined) {
  const error = refusal(scope, resource, text);
  if (error !== undefined) throw error;
}

/** The error of an operation that needs full file permissions, or that `--permission` disables. */
const refusedAltogether = (text) => deniedError('', '', text);

function scopeOf(scope) {
  validateString(scope, 'scope');
  return SCOPES[scope] === undefined ? undefined : scope;
}

function referenceOf(reference) {
  if (reference === undefined || reference === null) return undefined;
  if (!ArrayBufferIsView(reference)) validateString(reference, 'reference');
  return reference;
}

const permission = {
  has: function has(scope, reference) {
    const kind = scopeOf(scope);
    const path = referenceOf(reference);
    if (kind === undefined) return false;
    const is = isGranted(kind, path);
    if (!is) publishDenial(kind, path ?? '');
    return is;
  },
  /** Drops a permission, entirely or for one granted path. */
  drop: function drop(scope, reference) {
    const kind = scopeOf(scope);
    const path = referenceOf(reference);
    if (kind === undefined) return;
    if (kind === 'fs' || kind === 'fs.read') native.filesDrop(READ, path);
    if (kind === 'fs' || kind === 'fs.write') native.filesDrop(WRITE, path);
    SetDelete(granted, SCOPES[kind].flag);
  },
};

/** The flags that give a child the same permissions. */
function flags() {
  const list = ['--permission'];
  const add = (flag, paths) => {
    for (let index = 0; index < paths.length; index++) ArrayPush(list, `--allow-${flag}=${paths[index]}`);
  };
  add('fs-read', limits.read);
  add('fs-write', limits.write);
  for (const flag of intact(limits.granted)) ArrayPush(list, `--allow-${flag}`);
  return list;
}

function warn() {
  for (const flag of intact(limits.granted)) {
    if (ArrayIncludes(DANGEROUS, flag)) {
      const text = `The flag --allow-${flag} must be used with extreme caution. It could invalidate the permission model.`;
      host.emitWarning(text, 'SecurityWarning', 'PERM0006');
    } else if (ArrayIncludes(EXPERIMENTAL, flag)) {
      host.emitWarning(`The flag --allow-${flag} is under experimental phase.`, 'ExperimentalWarning');
    }
  }
}

/**
 * NODE_OPTIONS for a child started with `args` whose variable contains `before`: it gets no more permissions than this
 * process.
 */
function inheritedOptions(args, before) {
  const words = before === undefined ? '' : `${before}`;
  if (
    limits.isAudit ||
    ArrayIncludes(
      ArrayMap(args, (arg) => normalizeFlag(`${arg}`)),
      '--permission',
    ) ||
    StringIncludes(words, '--permission')
  )
    return before;
  let text = words;
  for (const flag of intact(flags())) {
    const word = RegExpTest(/[ "\\]/, flag) ? `"${RegExpReplace(/[\\"]/g, flag, '\\$&')}"` : flag;
    text += text === '' ? word : ` ${word}`;
  }
  return text;
}

/** Installs the permissions; `flags` is the result of `cli/line/permission_flags`. */
/** Earlier versions of Node read such a value as a list of paths. */
function warnOfCommas({ read, write }) {
  for (const { 0: flag, 1: paths } of intact([
    ['--allow-fs-read', read],
    ['--allow-fs-write', write],
  ])) {
    if (paths.length !== 1 || !StringIncludes(paths[0], ',')) continue;
    runtimeParts.process.process.emitWarning(
      `The ${flag} CLI flag has changed. Passing a comma-separated list of paths is no longer valid. Documentation can be found at ` +
        'https://nodejs.org/api/permissions.html#file-system-permissions',
      'Warning',
    );
  }
}

function start(flags, isWorker) {
  limits = flags;
  for (const flag of intact(flags.granted)) SetAdd(granted, flag);
  if (!isWorker) warn();
  if (!isWorker) warnOfCommas(flags);
  runtimeParts.permission = { refusedAltogether, check, isAudit, netDenial };
  ObjectDefineProperty(runtimeParts.process.process, 'permission', { __proto__: null, value: permission, enumerable: true });
  require('node/permission/gate').start();
}

const isAudit = () => limits.isAudit;
const hasAllFiles = () => isAudit() || isGranted('fs', undefined);

module.exports = { start, refusal, refusedAltogether, inheritedOptions, isAudit, hasAllFiles };
