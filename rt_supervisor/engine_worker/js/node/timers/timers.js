// @ts-check
'use strict';
// Owns: `node:timers`.
const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = require('internal/timers');
module.exports = {
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
  get promises() {
    return require('node/timers/promises');
  },
};
