'use strict';
// Owns: the modules node:inspector and node:inspector/promises. A front end of its own has no way in here: `open` says so.

const { codes } = require('internal/errors/errors');
const { Session } = require('node/inspector/session');

function open() {
  throw new codes.ERR_INSPECTOR_NOT_AVAILABLE();
}
function close() {}
function url() {
  return undefined;
}
function waitForDebugger() {
  throw new codes.ERR_INSPECTOR_NOT_ACTIVE();
}

/** Events that only a front end would hear. */
const silent = (...names) => Object.fromEntries(names.map((name) => [name, { [name]() {} }[name]]));

class PromiseSession extends Session {
  post(method, params) {
    return new Promise((resolve, reject) => {
      super.post(method, params, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}
Object.defineProperty(PromiseSession, 'name', { __proto__: null, value: 'Session', configurable: true });

const shared = {
  open,
  close,
  url,
  waitForDebugger,
  console: host.native?.extras?.console,
  Network: silent(
    'requestWillBeSent',
    'responseReceived',
    'loadingFinished',
    'loadingFailed',
    'dataSent',
    'dataReceived',
    'webSocketCreated',
    'webSocketClosed',
    'webSocketHandshakeResponseReceived',
  ),
  NetworkResources: silent('put'),
  DOMStorage: silent(
    'domStorageItemAdded',
    'domStorageItemRemoved',
    'domStorageItemUpdated',
    'domStorageItemsCleared',
    'registerStorage',
  ),
};

module.exports = { ...shared, Session, promises: { ...shared, Session: PromiseSession } };
Object.defineProperty(module.exports, 'promises', { __proto__: null, enumerable: false });
