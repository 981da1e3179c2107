'use strict';
// Owns: diagnostic flags of the command line and NODE_OPTIONS: when, where and what process.report writes; profiles; a file
// for warnings; --trace-exit; --trace-sync-io; --frozen-intrinsics; snapshots near the heap limit.

const { ArrayConcat, ArrayMap, ArraySome, MapGet, RegExpExec, RegExpTest, StringSplit, intact } = require('internal/primordials');
const { normalizeFlag } = require('internal/given_flags');
const { mapOf } = require('internal/collections');
const runtimeParts = require('internal/parts');

const FLAG = /^--(no-)?report-([\w-]+)(?:=(.*))?$/s;
const PROFILE = /^--(cpu|heap)-prof(?:-(md))?(?:=|$)/;
const NEAR_LIMIT = /^--heapsnapshot-near-heap-limit(?:=(.*))?$/s;
// Flags of V8 that may be set after its start, and that neither change how this library runs nor what it prints.
const OF_ENGINE = /^--(?:no-)?(?:allow-natives-syntax|trace-(?:gc|gc-nvp|gc-verbose|opt|deopt)|print-bytecode)$/;
const WARNINGS = /^--redirect-warnings(?:=(.*))?$/s;
const TRACE = /^--trace-event(?:s-enabled|-(categories|file-pattern)(?:=(.*))?)$/s;
const PRELOAD = /^(?:-r|--(?:require|import|preload)(?:=|$))/;
const DEFAULT_CATEGORIES = 'v8,node,node.async_hooks';
const SETTINGS = mapOf(
  intact([
    ['on-fatalerror', 'reportOnFatalError'],
    ['on-signal', 'reportOnSignal'],
    ['uncaught-exception', 'reportOnUncaughtException'],
    ['compact', 'compact'],
    ['exclude-env', 'excludeEnv'],
    ['exclude-network', 'excludeNetwork'],
    ['signal', 'signal'],
    ['dir', 'directory'],
    ['directory', 'directory'],
    ['filename', 'filename'],
  ]),
);

let traced; // the flags of node:trace_events

/** Applies the flags; loads nothing without them. */
function applyFlags(process, options = '', threadId = 0) {
  const words = ArrayMap(ArrayConcat(StringSplit(options, ' '), process.execArgv), normalizeFlag);
  let freezesIntrinsics = false;
  for (let index = 0; index < words.length; index++) {
    const profile = RegExpExec(PROFILE, words[index]);
    if (profile !== null) require('node/process/profiles').begin(profile[1], words, profile[2]);
    const limit = RegExpExec(NEAR_LIMIT, words[index]);
    const snapshots = limit === null ? 0 : Number(limit[1] ?? words[++index]);
    if (snapshots > 0) require('node/v8/near_limit').begin(snapshots, threadId);
    readTraceFlag(words[index], words[index + 1]);
    if (words[index] === '--trace-sync-io')
      require('node/fs/sync_trace').begin(require('node/fs/fs'), process, runtimeParts.isTurning);
    if (RegExpTest(OF_ENGINE, words[index]) && runtimeParts.worker === undefined) host.native.setV8Flags(words[index]);
    if (words[index] === '--trace-exit') require('node/process/exit_trace').begin(process);
    if (words[index] === '--frozen-intrinsics') freezesIntrinsics = true;
    const file = RegExpExec(WARNINGS, words[index]);
    const path = file === null ? undefined : (file[1] ?? words[++index]);
    if (path !== undefined) require('node/process/warnings').redirect(path);
    const match = RegExpExec(FLAG, words[index]);
    const setting = match === null ? undefined : MapGet(SETTINGS, match[2]);
    if (setting === undefined) continue;
    const { report } = require('node/process/report');
    if (typeof report[setting] === 'boolean') report[setting] = match[1] === undefined;
    else report[setting] = match[3] ?? words[++index];
  }
  if (traced !== undefined) require('node/trace_events/recorder').start(traced);
  if (freezesIntrinsics) {
    const { begin } = require('node/process/frozen_intrinsics');
    if (ArraySome(words, (word) => RegExpTest(PRELOAD, word))) runtimeParts.whenPreloaded = begin;
    else runtimeParts.whenStarted = begin;
  }
}

/** Reads a flag of node:trace_events into `traced`. */
function readTraceFlag(word, next) {
  const match = RegExpExec(TRACE, word);
  if (match === null || runtimeParts.worker !== undefined) return;
  traced ??= { __proto__: null, categories: undefined, pattern: undefined };
  if (match[1] === 'categories') traced.categories = match[2] ?? next;
  else if (match[1] === 'file-pattern') traced.pattern = match[2] ?? next;
  else traced.categories ??= DEFAULT_CATEGORIES;
}

module.exports = { applyFlags };
