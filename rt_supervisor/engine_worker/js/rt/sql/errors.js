// @ts-check
'use strict';
// Owns: the errors of RT.SQL: server errors with all their fields, and errors of the connection.

const { ObjectDefineProperty, ObjectKeys, intact } = require('internal/primordials');

class SQLError extends Error {
  constructor(message, fields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    for (const name of intact(ObjectKeys(fields))) if (name !== 'cause') this[name] = fields[name];
  }
}
class PostgresError extends SQLError {}
for (const each of intact([SQLError, PostgresError]))
  ObjectDefineProperty(each.prototype, 'name', { __proto__: null, value: each.name, writable: true, configurable: true });

const FIELDS = {
  __proto__: null,
  S: 'severity',
  C: 'errno',
  M: 'message',
  D: 'detail',
  H: 'hint',
  P: 'position',
  p: 'internalPosition',
  q: 'internalQuery',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'dataType',
  n: 'constraint',
  F: 'file',
  L: 'line',
  R: 'routine',
};

/** Creates the error for an ErrorResponse, given as pairs of letters and strings. */
function serverError(pairs) {
  const fields = { code: 'ERR_POSTGRES_SERVER_ERROR' };
  let message = '';
  for (const { 0: letter, 1: text } of intact(pairs)) {
    const name = FIELDS[letter];
    if (name === 'message') message = text;
    else if (name !== undefined) fields[name] = text;
  }
  if (fields.errno === '42601') fields.code = 'ERR_POSTGRES_SYNTAX_ERROR';
  return new PostgresError(message, fields);
}
const failure = (code, message, cause = undefined) => new PostgresError(message, { code: `ERR_POSTGRES_${code}`, cause });

module.exports = { SQLError, PostgresError, serverError, failure };
