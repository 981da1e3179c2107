// @ts-check
'use strict';
// Owns: the call below spawnSync, as in `process.binding('spawn_sync')`: packages that instrument child processes
// (process-on-spawn, spawn-wrap) replace it.

const runtimeParts = require('internal/parts');
const { ArrayMap } = require('internal/primordials');
const { environmentPairs, hostWords, requestFrom } = require('node/child_process/arguments');
const { signalName } = require('node/child_process/launch');

const SIGTERM = 15;
const EMPTY = new Uint8Array(0);

const wordOf = ({ type, fd }, place) => (type === 'inherit' || type === 'fd' ? (fd ?? place) : type);

/** The options of a child; the environment defaults to ours. */
const withDefaults = (options) => ({
  __proto__: null,
  ...options,
  folder: options.cwd ?? '',
  args: options.args ?? [options.file],
  envPairs: options.envPairs ?? environmentPairs(runtimeParts.process.process.env),
});

/** Runs a child to its end; `stdio` is a list of { type: 'pipe', 'ignore', 'inherit' or 'fd', fd, input }. */
function spawn(settings) {
  const options = { __proto__: null, ...settings };
  const stdio = options.stdio ?? [{ type: 'ignore' }, { type: 'ignore' }, { type: 'ignore' }];
  const most = options.maxBuffer ?? 0;
  const ran = host.native.children_runToEnd(
    {
      __proto__: null,
      ...requestFrom(withDefaults(options), hostWords(ArrayMap(stdio, wordOf))),
      detached: Boolean(options.detached),
      timeout: options.timeout ?? 0,
      most: most > 0 && most !== Infinity ? most : -1,
      killSignal: options.killSignal || SIGTERM,
    },
    stdio[0]?.input ?? EMPTY,
  );
  const { asBuffer } = require('node/buffer/views');
  const result = {
    pid: ran.pid,
    status: ran.code ?? null,
    signal: signalName(ran.signal ?? null),
    output: ran.pid === 0 ? null : ArrayMap(ran.output, (bytes) => (bytes === null ? null : asBuffer(bytes))),
  };
  return ran.error === 0 ? result : { error: ran.error, ...result };
}

/** The object of `process.binding('spawn_sync')`, which spawnSync calls. */
const binding = { spawn };

module.exports = { binding };
