// @ts-check
'use strict';
// Owns: the symbols for the native handles of node:crypto objects; `util.inspect` shows them as Node does.

module.exports = { kHandle: Symbol('kHandle'), kState: Symbol('kState'), kFinalized: Symbol('kFinalized') };
