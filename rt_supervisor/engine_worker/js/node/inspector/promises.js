'use strict';
// Owns: the exports of node:inspector/promises: those of node:inspector, with sessions that return promises.

const { ObjectDefineProperty } = require('internal/primordials');
const inspector = require('node/inspector/inspector');

class PromiseSession extends inspector.Session {
  post(method, params) {
    return new Promise((resolve, reject) => {
      super.post(method, params, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}
ObjectDefineProperty(PromiseSession, 'name', { __proto__: null, value: 'Session', configurable: true });

module.exports = { ...inspector, Session: PromiseSession };
