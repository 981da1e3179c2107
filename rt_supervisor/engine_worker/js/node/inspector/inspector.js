'use strict';
// Owns: the exports of node:inspector: the debugger's server, and the events that programs send to front ends.

const { ArrayMap, ObjectFromEntries, StringStartsWith, StringToLowerCase, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { validateInt32, validateObject, validateString } = require('internal/validators');
const { Session } = require('node/inspector/session');

const { native } = host;
const WARNING =
  'Binding the inspector to a public IP with an open port is insecure, as it allows external hosts to connect to the inspector and ' +
  'perform a remote code execution attack.';

const isLoopback = (name) => {
  const text = StringToLowerCase(`${name}`);
  return (
    text === 'localhost' ||
    StringStartsWith(text, '127.') ||
    StringStartsWith(text, '[::1]') ||
    text === '::1' ||
    StringStartsWith(text, '[0:0:0:0:0:0:0:1]')
  );
};

function open(port, hostname, wait) {
  if (url() !== undefined) throw new codes.ERR_INSPECTOR_ALREADY_ACTIVATED();
  const isGiven = typeof port === 'number' && port >>> 0 === port;
  if (isGiven) validateInt32(port, 'port', 0, 65535);
  if (hostname && !isLoopback(hostname)) runtimeParts.process.process.emitWarning(WARNING, 'SecurityWarning');
  const portNumber = isGiven ? port : runtimeParts.process.isDebugPortSet() ? runtimeParts.process.process.debugPort : undefined;
  const problem = native.inspector_open(portNumber, hostname ? `${hostname}` : undefined);
  if (typeof problem === 'string') native.core_write(2, `${problem}\n`);
  if (wait && url() !== undefined) native.inspector_wait(true);
  return {
    __proto__: null,
    [Symbol.dispose]() {
      close();
    },
  };
}
function close() {
  native.inspector_close();
}
function url() {
  return native.inspector_url();
}
function waitForDebugger() {
  if (url() === undefined) throw new codes.ERR_INSPECTOR_NOT_ACTIVE();
  native.inspector_wait(false);
}

/** Functions that send events of a domain to front ends, by `report` of the file `own`. */
const reporting = (own, ...names) =>
  ObjectFromEntries(
    intact(
      ArrayMap(names, (name) => [
        name,
        {
          [name](params) {
            if (params === undefined) params = {};
            validateObject(params, 'params');
            require(own).report(name, params);
          },
        }[name],
      ]),
    ),
  );

const domains = {
  Network: reporting(
    'node/inspector/network',
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
  NetworkResources: {
    /** Offers a text to front ends, which load it with Network.loadNetworkResource. */
    put(url, data) {
      validateString(url, 'url');
      validateString(data, 'data');
      native.inspector_resource(url, data);
    },
  },
  DOMStorage: reporting(
    'node/inspector/dom_storage',
    'domStorageItemAdded',
    'domStorageItemRemoved',
    'domStorageItemUpdated',
    'domStorageItemsCleared',
    'registerStorage',
  ),
};

module.exports = { open, close, url, waitForDebugger, console: host.native?.extras?.console, Session, ...domains };
