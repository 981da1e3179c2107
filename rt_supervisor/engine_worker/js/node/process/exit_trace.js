// @ts-check
'use strict';
// Owns: `--trace-exit`: prints a stack trace when the program calls process.exit().

const { ErrorCaptureStackTrace, RegExpReplace, StringIndexOf, StringSlice } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');

/** Makes `process.reallyExit`, which `process.exit` calls, print its caller's stack. */
function begin(process) {
  const { reallyExit } = process;
  process.reallyExit = function tracedExit(code) {
    const holder = { stack: '' };
    ErrorCaptureStackTrace(holder, tracedExit); // the stack's limit applies to process.exit and its callers
    const lines = StringSlice(holder.stack, StringIndexOf(holder.stack, '\n') + 1);
    // Like Node, without the type of the receiver.
    const frames = RegExpReplace(/^( +at )\S+\.<anonymous> \((.*)\)$/gm, lines, (_, at, place) => `${at}${place}`);
    const thread = runtimeParts.worker === undefined ? '' : `, thread:${runtimeParts.worker.self.threadId}`;
    const status = code ?? 0;
    const text = `(${startValues.programName}:${process.pid}${thread}) WARNING: Exited the environment with code ${status}\n${frames}\n`;
    require('node/process/printing').print('stderr', 2, text);
    return reallyExit(code);
  };
}

module.exports = { begin };
