// @ts-check
'use strict';
// Owns: the transfer of abort signals to another thread: the copy is aborted when the original is. Only marked signals are
// transferable.

const { WeakSetAdd, WeakSetHas } = require('internal/primordials');
const { registerTransferable } = require('internal/cloneable');
const { AbortController, AbortSignal, addAbortAlgorithm } = require('web/abort');

const marked = new WeakSet();

/** Marks a signal as transferable. */
function mark(signal) {
  WeakSetAdd(marked, signal);
  return signal;
}

registerTransferable(
  (value) => value instanceof AbortSignal && WeakSetHas(marked, value),
  'AbortSignal',
  (signal) => {
    if (signal.aborted) return { ports: [], facts: { reason: signal.reason } };
    const { port1, port2 } = new (require('web/messaging/port').MessageChannel)();
    addAbortAlgorithm(signal, (reason) => {
      try {
        port1.postMessage({ reason });
      } catch {
        port1.postMessage({ reason: undefined });
      }
      port1.close();
    });
    port1.unref();
    return { ports: [port2], facts: {} };
  },
);

function unpack(_name, { ports, facts }) {
  const controller = new AbortController();
  if (ports.length === 0) controller.abort(facts.reason);
  else {
    ports[0].onmessage = ({ data }) => {
      controller.abort(data.reason);
      ports[0].close();
    };
    ports[0].unref(); // an abort may never arrive: the port must not keep the program alive
  }
  return mark(controller.signal);
}

module.exports = { mark, unpack };
