// @ts-check
'use strict';
// Owns: the table of files that define globals. A file is loaded when one of its globals is first used.

const { setOf } = require('internal/collections');
const { ObjectDefineProperty, intact } = require('internal/primordials');
// file -> the globals that it exports
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
  'rt/workers/worker': ['Worker'],
  'rt/html/rewriter': ['HTMLRewriter'],
  'rt/terminal/dialogs': ['alert', 'confirm', 'prompt'],
};
// Globals that are enumerable, as in Node.
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
  ]),
);

// Globals defined as accessors; the others are data properties.
const ACCESSORS = setOf(intact(['crypto', 'localStorage', 'navigator', 'sessionStorage']));

/** Those without a setter in programs that see Node only. */
const READ_ONLY_IN_NODE = ['crypto', 'navigator'];

/** Adds `WebAssembly.compileStreaming` and `instantiateStreaming`, which V8 leaves to the embedder. */
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

module.exports = { ACCESSORS, FILES, ENUMERABLE, READ_ONLY_IN_NODE, addWasmStreaming };
