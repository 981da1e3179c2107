// @ts-check
'use strict';
// Owns: the globals of a Web worker: `self`, `postMessage`, `onmessage`, `close`, and the listeners of its global object.

const runtimeParts = require('internal/parts');
const { ObjectDefineProperty } = require('internal/primordials');
const { EventTarget } = require('web/event_target');
const { MessageEvent } = require('web/messaging/events');

function start({ parentPort, threadName }) {
  const scope = new EventTarget();
  const handlers = { __proto__: null, message: null, messageerror: null, error: null };
  const define = (name, value) =>
    ObjectDefineProperty(globalThis, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  let isListening = false;
  const listen = () => {
    if (isListening) return;
    isListening = true;
    parentPort.addEventListener('message', ({ data, ports }) =>
      scope.dispatchEvent(new MessageEvent('message', { data, ports })),
    );
  };
  define('self', globalThis);
  define('name', threadName);
  define('postMessage', function postMessage(message, transferOrOptions) {
    parentPort.postMessage(message, transferOrOptions);
  });
  define('close', function close() {
    runtimeParts.process.process.exit(0);
  });
  define('addEventListener', function addEventListener(type, listener, options) {
    scope.addEventListener(type, listener, options);
    if (type === 'message') listen();
  });
  define('removeEventListener', function removeEventListener(type, listener, options) {
    scope.removeEventListener(type, listener, options);
  });
  define('dispatchEvent', function dispatchEvent(event) {
    return scope.dispatchEvent(event);
  });
  for (const type in handlers) {
    ObjectDefineProperty(globalThis, `on${type}`, {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get: () => handlers[type],
      set(listener) {
        if (handlers[type] !== null) scope.removeEventListener(type, handlers[type]);
        handlers[type] = typeof listener === 'function' ? listener : null;
        if (handlers[type] === null) return;
        scope.addEventListener(type, listener);
        if (type === 'message') listen();
      },
    });
  }
}

module.exports = { start };
