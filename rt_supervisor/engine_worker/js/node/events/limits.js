// @ts-check
'use strict';
// Owns: the maximum number of listeners per event, and the leak warning.

const { limits } = require('internal/listener_limits');

const limitOf = (emitter) => (emitter._maxListeners === undefined ? limits.default : emitter._maxListeners);

function warnAboutLeak(emitter, type, count, limit) {
  const target = require('internal/inspect/inspect').inspect(emitter, { depth: -1 });
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${count} ${String(type)} listeners added to ${target}. ` +
      `MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`,
  );
  require('internal/primordials').setOwn(warning, 'name', 'MaxListenersExceededWarning');
  warning.emitter = emitter;
  warning.type = type;
  warning.count = count;
  host.emitWarning(warning);
}

module.exports = { limits, limitOf, warnAboutLeak };
