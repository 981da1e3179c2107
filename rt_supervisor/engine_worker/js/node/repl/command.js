'use strict';
// Owns: the REPL as a program: `rt repl`, `--interactive`, and `node` without arguments on a terminal. Honours Node's
// environment variables NODE_REPL_HISTORY, NODE_REPL_HISTORY_SIZE, NODE_REPL_MODE and NODE_NO_READLINE.

const runtimeParts = require('internal/parts');
const {
  ArraySome,
  NumberIsNaN,
  NumberParseFloat,
  ObjectAssign,
  ObjectDefineProperty,
  StringStartsWith,
  StringToLowerCase,
  StringTrim,
} = require('internal/primordials');
const { normalizeFlag } = require('internal/given_flags');
const startValues = require('internal/start_values');

/** The options for node:repl's `start`. */
function optionsOf(env) {
  const { MODES, kProgram } = require('node/repl/server');
  const options = { ignoreUndefined: false, useGlobal: true, breakEvalOnSigint: true, prompt: '> ', [kProgram]: true };
  const size = NumberParseFloat(env.NODE_REPL_HISTORY_SIZE);
  options.historySize = !NumberIsNaN(size) && size > 0 ? size : 1000;
  if (parseInt(env.NODE_NO_READLINE, 10)) options.terminal = false;
  if (env.NODE_REPL_MODE !== undefined) options.replMode = MODES[StringToLowerCase(StringTrim(env.NODE_REPL_MODE))];
  return options;
}

function start(code) {
  const { process } = runtimeParts.process;
  if (ArraySome(process.execArgv, (word) => StringStartsWith(normalizeFlag(word), '--input-type'))) {
    process.stderr.write('Cannot specify --input-type for REPL\n');
    process.exit(1);
  }
  const product = startValues.programName === 'node' ? `Node.js ${process.version}` : `rt v${process.versions.rt}`;
  process.stdout.write(`Welcome to ${product}.\nType ".help" for more information.\n`);
  const repl = require('node/repl/repl').start(optionsOf(process.env));
  const { inspect } = require('node/util/util');
  const { writer } = require('node/repl/server');
  ObjectDefineProperty(inspect, 'replDefaults', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => writer.options,
    set: (options) => {
      require('internal/validators').validateObject(options, 'options');
      ObjectAssign(writer.options, options);
    },
  });
  repl.on('exit', () => {
    if (repl.isFlushing) repl.once('flushHistory', () => process.exit());
    else process.exit();
  });
  if (repl.terminal) {
    const filePath = process.env.NODE_REPL_HISTORY;
    repl.setupHistory(
      { filePath: filePath === undefined ? undefined : StringTrim(filePath), size: repl.historySize },
      (error) => {
        if (error) throw error;
      },
    );
  }
  if (code === undefined) return;
  require('node/repl/later_errors').within(repl, () => {
    try {
      require('node/vm/vm').runInThisContext(code, { filename: '[eval]' });
    } catch (error) {
      repl._handleError(error);
    }
  });
}

module.exports = { start };
