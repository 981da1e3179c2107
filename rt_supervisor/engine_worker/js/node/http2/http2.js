'use strict';
// Owns: the exports of node:http2.

const { ObjectDefineProperty, ObjectHasOwn, SymbolFor } = require('internal/primordials');

require('node/buffer/buffer');
const { connect } = require('node/http2/client');
const { createServer, createSecureServer, performServerHandshake } = require('node/http2/server');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } = require('node/http2/settings');
const { Http2ServerRequest, Http2ServerResponse } = require('node/http2/compat');
const { sensitiveHeaders } = require('node/http2/headers');

module.exports = {
  connect,
  constants: require('internal/read_only').readOnly(require('node/http2/constants')),
  createServer,
  createSecureServer,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  performServerHandshake,
  sensitiveHeaders,
  Http2ServerRequest,
  Http2ServerResponse,
};
const promisified = SymbolFor('nodejs.util.promisify.custom');
// The property exists already if an earlier load of this file was interrupted.
if (!ObjectHasOwn(connect, promisified)) {
  ObjectDefineProperty(connect, promisified, {
    __proto__: null,
    value: function connectLater(authority, options) {
      return new Promise((resolve, reject) => {
        const session = connect(authority, options, () => {
          session.removeListener('error', reject);
          resolve(session);
        });
        session.once('error', reject);
      });
    },
  });
  ObjectDefineProperty(connect[promisified], 'name', { __proto__: null, value: 'connect', configurable: true });
}
