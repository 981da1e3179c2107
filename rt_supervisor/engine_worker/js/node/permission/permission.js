'use strict';
// Owns: process.permission and what the program may do where `--permission` limits it. The native module keeps the rights to
// files (native/src/files/permission.rs), as it reads modules, too; the others are a set of scopes. Rights only shrink.
// Loaded with the flag, and only then.

const { native } = host;
const handedDown = require('internal/parts');
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

// Scopes by the names that programs ask with: Node's name of the permission, and the flag that grants it.
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

/** Whether the program has the right, for a path where one is given. */
function isGranted(scope, path) {
  if (scope === 'fs') return isGranted('fs.read', undefined) && isGranted('fs.write', undefined);
  if (scope === 'fs.read') return native.filesAllowed(READ, path);
  if (scope === 'fs.write') return native.filesAllowed(WRITE, path);
  return SetHas(granted, SCOPES[scope].flag);
}

function tell(scope, resource) {
  const channel = scope === 'fs.read' || scope === 'fs.write' ? 'fs' : scope;
  handedDown.tell?.(`node:permission-model:${channel}`, { permission: SCOPES[scope].name, resource, drop: undefined });
}

/** The error of a denied access; `text` where it is not the usual words. */
function denied(permission, resource, text) {
  const error = new Error(text);
  ErrorCaptureStackTrace(error, denied);
  return ObjectAssign(error, { code: 'ERR_ACCESS_DENIED', permission, resource });
}

/** The error where the program has no right to do that with `resource`, else undefined. */
function refusal(scope, resource, text = undefined) {
  const path = scope === 'fs.read' || scope === 'fs.write' ? resource : undefined;
  if (isGranted(scope, path)) return undefined;
  const shown = typeof resource === 'string' || resource === undefined ? (resource ?? '') : native.decodeUtf8(resource);
  tell(scope, shown);
  if (limits.isAudit) return undefined;
  const { name, flag } = SCOPES[scope];
  return denied(name, shown, text ?? wordsOf(flag));
}

const wordsOf = (flag) => `Access to this API has been restricted. Use --allow-${flag} to manage permissions.`;
const netDenial = (address) => denied('Net', address ?? '', wordsOf('net'));

/** Throw where the program has no right to do that with `resource`. */
function check(scope, resource, text = undefined) {
  const error = refusal(scope, resource, text);
  if (error !== undefined) throw error;
}

/** The error of an operation that needs all rights to files, or that `--permission` disables. */
const refusedAltogether = (text) => denied('', '', text);

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
    const known = scopeOf(scope);
    const path = referenceOf(reference);
    if (known === undefined) return false;
    const is = isGranted(known, path);
    if (!is) tell(known, path ?? '');
    return is;
  },
  /** Give a right up, for all or for what was granted for one path. */
  drop: function drop(scope, reference) {
    const known = scopeOf(scope);
    const path = referenceOf(reference);
    if (known === undefined) return;
    if (known === 'fs' || known === 'fs.read') native.filesDrop(READ, path);
    if (known === 'fs' || known === 'fs.write') native.filesDrop(WRITE, path);
    SetDelete(granted, SCOPES[known].flag);
  },
};

/** The flags that a child needs to have the same rights. */
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

/** The words of NODE_OPTIONS for a child that is started with `args` and has `before` there: it gets no more rights than this. */
function inherited(args, before) {
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

/** Begin: `given` is what `cli/line/permission_flags` made of the flags. */
function start(given, isWorker) {
  limits = given;
  for (const flag of intact(given.granted)) SetAdd(granted, flag);
  if (!isWorker) warn();
  handedDown.permission = { refusedAltogether, check, isAudit, netDenial };
  ObjectDefineProperty(handedDown.process.process, 'permission', { __proto__: null, value: permission, enumerable: true });
  require('node/permission/gate').start();
}

const isAudit = () => limits.isAudit;
const hasAllFiles = () => isAudit() || isGranted('fs', undefined);

module.exports = { start, refusal, refusedAltogether, inherited, isAudit, hasAllFiles };
