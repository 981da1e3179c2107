// @ts-check
'use strict';
// Owns: what `rt:sqlite` exports, and `bun:sqlite`, the peer's name of it.

const constants = require('rt/sqlite/constants');
const { Database, Statement } = require('rt/sqlite/database');
const { SQLiteError } = require('rt/sqlite/errors');

module.exports = { __esModule: true, Database, Statement, SQLiteError, constants, default: Database };
