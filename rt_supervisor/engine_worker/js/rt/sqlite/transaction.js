'use strict';
// Owns: functions that run in a transaction: committed when they return, rolled back when they throw. A nested one is a
// savepoint.

const { ObjectDefineProperties, ReflectApply } = require('internal/primordials');

const SAVEPOINT = '`\t_rt3.\t`';

function wrap(database, work, begin) {
  return function transaction(...values) {
    const isInner = database.inTransaction;
    database.run(isInner ? `SAVEPOINT ${SAVEPOINT}` : begin);
    try {
      const result = ReflectApply(work, this, values);
      database.run(isInner ? `RELEASE ${SAVEPOINT}` : 'COMMIT');
      return result;
    } catch (error) {
      if (database.inTransaction) {
        database.run(isInner ? `ROLLBACK TO ${SAVEPOINT}` : 'ROLLBACK');
        if (isInner) database.run(`RELEASE ${SAVEPOINT}`);
      }
      throw error;
    }
  };
}

function transactionOf(database, work) {
  if (typeof work !== 'function') throw new TypeError('Expected first argument to be a function');
  const forms = {
    __proto__: null,
    default: wrap(database, work, 'BEGIN'),
    deferred: wrap(database, work, 'BEGIN DEFERRED'),
    immediate: wrap(database, work, 'BEGIN IMMEDIATE'),
    exclusive: wrap(database, work, 'BEGIN EXCLUSIVE'),
  };
  const fields = {
    __proto__: null,
    default: { __proto__: null, value: forms.default },
    deferred: { __proto__: null, value: forms.deferred },
    immediate: { __proto__: null, value: forms.immediate },
    exclusive: { __proto__: null, value: forms.exclusive },
    database: { __proto__: null, value: database, enumerable: true },
  };
  for (const name in forms) ObjectDefineProperties(forms[name], fields);
  return forms.default;
}

module.exports = { transactionOf };
