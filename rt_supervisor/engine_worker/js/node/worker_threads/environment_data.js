// @ts-check
'use strict';
// Owns: setEnvironmentData and getEnvironmentData: values copied to every worker started later.

const { MapDelete, MapGet, MapSet, ObjectDefineProperty, SymbolFor } = require('internal/primordials');
const environmentData = new Map();

function setEnvironmentData(key, value) {
  if (value === undefined) MapDelete(environmentData, key);
  else MapSet(environmentData, key, value);
}

const getEnvironmentData = (key) => MapGet(environmentData, key);

module.exports = {
  environmentData,
  setEnvironmentData,
  getEnvironmentData: function getEnvironmentData_(key) {
    return getEnvironmentData(key);
  },
  SHARE_ENV: SymbolFor('nodejs.worker_threads.SHARE_ENV'),
};
ObjectDefineProperty(module.exports.getEnvironmentData, 'name', {
  __proto__: null,
  value: 'getEnvironmentData',
  configurable: true,
});
