'use strict';
// Owns: setEnvironmentData and getEnvironmentData: values that every worker started later begins with, too.

const environmentData = new Map();

function setEnvironmentData(key, value) {
  if (value === undefined) environmentData.delete(key);
  else environmentData.set(key, value);
}

const getEnvironmentData = (key) => environmentData.get(key);

module.exports = {
  environmentData,
  setEnvironmentData,
  getEnvironmentData: function getEnvironmentData_(key) {
    return getEnvironmentData(key);
  },
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
};
Object.defineProperty(module.exports.getEnvironmentData, 'name', {
  __proto__: null,
  value: 'getEnvironmentData',
  configurable: true,
});
