// @ts-check
'use strict';
// Owns: the symbols under which objects of node:crypto keep their native halves; `util.inspect` shows them as Node does.

module.exports = { kHandle: Symbol('kHandle'), kState: Symbol('kState'), kFinalized: Symbol('kFinalized') };
