// @ts-check
'use strict';
// Owns: the exports of `rt:sqlite`, also available as `bun:sqlite`.

const constants = require('rt/sqlite/constants');
const { Database, Statement } = require('rt/sqlite/database');
const { SQLiteError } = require('rt/sqlite/errors');

module.exports = { __esModule: true, Database, Statement, SQLiteError, constants, default: Database };
