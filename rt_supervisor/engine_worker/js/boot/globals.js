// @ts-check
'use strict';
// Owns: which globals come from which file when they are first used. What a program never names is never loaded.

const { setOf } = require('internal/collections');
const { ObjectDefineProperty, intact } = require('internal/primordials');
// file -> the globals it exports
const FILES = {
  __proto__: null,
  'web/blob/blob': ['Blob'],
  'web/blob/file': ['File'],
  'web/blob/form_data': ['FormData'],
  'web/fetch/headers': ['Headers'],
  'web/fetch/request': ['Request'],
  'web/fetch/response': ['Response'],
  'node/fetch/fetch': ['fetch'],
  'node/fetch/event_source': ['EventSource'],
  'node/websocket/client': ['WebSocket'],
  'web/messaging/structured_clone': ['structuredClone'],
  'web/messaging/port': ['MessagePort', 'MessageChannel'],
  'web/messaging/broadcast': ['BroadcastChannel'],
  'web/messaging/events': ['MessageEvent', 'CloseEvent', 'ErrorEvent', 'PromiseRejectionEvent'],
  'web/navigator': ['Navigator', 'navigator'],
  'web/storage': ['Storage', 'sessionStorage', 'localStorage'],
  'web/report_error': ['reportError'],
  'web/url/pattern/class': ['URLPattern'],
  'internal/quota_exceeded': ['QuotaExceededError'],
  'rt/worker': ['Worker'],
  'rt/html/rewriter': ['HTMLRewriter'],
  'rt/dialogs': ['alert', 'confirm', 'prompt'],
};
// Globals that for ... in and Object.keys show, as in Node.
const ENUMERABLE = setOf(
  intact([
    'global',
    'clearImmediate',
    'setImmediate',
    'clearInterval',
    'clearTimeout',
    'setInterval',
    'setTimeout',
    'queueMicrotask',
    'structuredClone',
    'atob',
    'btoa',
    'performance',
    'fetch',
    'crypto',
    'navigator',
    'sessionStorage',
    'alert',
    'confirm',
    'prompt',
  ]),
);

// Globals that have a getter and a setter, as in Node; the others are data.
const ACCESSORS = setOf(intact(['Buffer', 'crypto', 'localStorage', 'navigator', 'sessionStorage']));

/** `WebAssembly.compileStreaming` and `instantiateStreaming` take what `fetch` gives; V8 itself has neither. */
function addWasmStreaming() {
  for (const name of intact(['compileStreaming', 'instantiateStreaming'])) {
    ObjectDefineProperty(WebAssembly, name, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      writable: true,
      value: {
        [name](...args) {
          return require('web/wasm_streaming')[name](...intact(args));
        },
      }[name],
    });
  }
}

module.exports = { ACCESSORS, FILES, ENUMERABLE, addWasmStreaming };
