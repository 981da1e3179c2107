// @ts-check
'use strict';
// Owns: the exports of `node:sqlite`; --no-experimental-sqlite removes the module. SQLite is loaded when the first database
// is opened.

const runtimeParts = require('internal/parts');
const { ArrayIncludes } = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const { codes } = require('internal/errors/errors');

if (ArrayIncludes(givenFlags(runtimeParts.process.process), '--no-experimental-sqlite')) {
  throw new codes.ERR_UNKNOWN_BUILTIN_MODULE('node:sqlite');
}

const { backup } = require('node/sqlite/backup');
const constants = require('internal/read_only').readOnly(require('node/sqlite/constants'));
const { DatabaseSync } = require('node/sqlite/database');
const { Session } = require('node/sqlite/session');
const { StatementSync } = require('node/sqlite/statement');

module.exports = { DatabaseSync, StatementSync, Session, constants, backup };
