// @ts-check
'use strict';
// Owns: the host interface: everything that the lower floors require from the process and the engine, built from native
// functions and from the runtime's own parts. js/README.md documents each member; a test compares this file, that table and the
// interface of the unit tests. The interface is frozen once complete. Parts of this library that lower floors use go through
// `internal/parts` and `internal/start_values`.

const {
  ArrayMap,
  ArraySlice,
  ArraySome,
  ObjectDefineProperties,
  ObjectEntries,
  ObjectFreeze,
  ObjectFromEntries,
  RegExpTest,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const native = host.native;

const entries = (members) =>
  ObjectFromEntries(
    intact(ArrayMap(ObjectEntries(members), ({ 0: name, 1: value }) => [name, { __proto__: null, value, enumerable: true }])),
  );

const isEvaluation = (flag) => RegExpTest(/^(?:-e|-p|-pe|--eval|--print)(?:=|$)/, flag);

/** Fills in the host interface and freezes it. The given parts must already exist. */
function complete({ timers, process, settings }) {
  ObjectDefineProperties(
    host,
    entries({
      inspect: require('boot/host_inspect'),
      cwd: () => process.cwd(), // the public function: some programs replace `process.cwd`
      now: native.now,
      nextTick: timers.nextTick,
      emitWarning: (...args) => process.emitWarning(...intact(args)),
      reportException: (error) =>
        timers.nextTick(() => {
          throw error;
        }),
      setUnrefTimeout: (callback, ms) => timers.setTimeout(callback, ms).unref(),
      utf8: ObjectFreeze({
        encode: native.encodeUtf8,
        decode: (bytes, start, end) =>
          native.decodeUtf8(start === 0 && end === bytes.length ? bytes : TypedArraySubarray(bytes, start, end)),
        byteLength: native.utf8Length,
        write: native.writeUtf8,
      }),
      textOf: native.textOf,
      writeAscii: native.writeAscii,
      writeText: native.writeText,
      compareBytes: native.compareBytes,
      findBytes: native.findBytes,
      platform: 'linux',
      signals: require('internal/signals').NUMBERS,
      // The arguments of evaluated code follow the executable.
      programArguments: () => ArraySlice(process.argv, ArraySome(process.execArgv, isEvaluation) ? 1 : 2),
      env: (name) => process.env[name],
      pid: () => process.pid,
      writeErr: (text) => native.core_write(2, text),
      stderrHasColors: () => settings.colorsErr,
      stdoutHasColors: () => settings.colorsOut,
      assertedExpression: (caller) => require('node/assert/expression').findAssertedExpression(caller),
      types: ObjectFreeze({
        // Such objects cannot exist before the module is loaded.
        isKeyObject: (value) => host.isLoaded('node/crypto/key_object') && require('node/crypto/key_object').isKeyObject(value),
        isCryptoKey: (value) => host.isLoaded('web/crypto/key') && require('web/crypto/key').isCryptoKey(value),
      }),
    }),
  );
  ObjectFreeze(host);
}

module.exports = { complete };
