// @ts-check
'use strict';
// Owns: the colours of console output, as complete control sequences, so that the printer only concatenates.

const RESET = '\x1b[0m';

exports.ansiColors = {
  reset: RESET,
  comma: `${RESET}\x1b[2m,${RESET}`,
  colon: `\x1b[2m:${RESET} `,
  dim: `${RESET}\x1b[2m`,
  end: `${RESET}\x1b[2m`,
  red: `${RESET}\x1b[31m`,
  green: `${RESET}\x1b[32m`,
  yellow: `${RESET}\x1b[33m`,
  blue: `${RESET}\x1b[34m`,
  magenta: `${RESET}\x1b[35m`,
  cyan: '\x1b[36m',
  circular: `${RESET}\x1b[36m`,
  promise: `${RESET}\x1b[36m`,
};

exports.plainColors = {
  reset: '',
  comma: ',',
  colon: ': ',
  dim: '',
  end: '',
  red: '',
  green: '',
  yellow: '',
  blue: '',
  magenta: '',
  cyan: '',
  circular: '',
  promise: '',
};

const plain = (text) => `${text}`;

/** Returns the stylize function for custom inspection functions: util.inspect's styles if colours are on. */
exports.stylizer = (hasColors) => {
  if (!hasColors) return plain;
  const { inspect } = require('internal/inspect/inspect');
  return (text, style) => {
    const codes = inspect.colors[inspect.styles[style]];
    return codes === undefined ? `${text}` : `\x1b[${codes[0]}m${text}\x1b[${codes[1]}m`;
  };
};
