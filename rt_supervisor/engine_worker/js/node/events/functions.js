// @ts-check
'use strict';
// Owns: the functions of node:events that take an emitter or an EventTarget: listener lists and limits.

const { ArrayForEach } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { kMaxEventTargetListeners } = require('internal/listener_limits');
const { validateNumber } = require('internal/validators');
const { limits, limitOf } = require('node/events/limits');

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget?.listeners === 'function') return emitterOrTarget.listeners(type);
  const { EventTarget, listenersOf } = require('web/event_target');
  if (emitterOrTarget instanceof EventTarget) return listenersOf(emitterOrTarget, `${String(type)}`);
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') return limitOf(emitterOrTarget);
  require('web/event_target');
  if (typeof emitterOrTarget?.[kMaxEventTargetListeners] === 'number') return emitterOrTarget[kMaxEventTargetListeners];
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function setMaxListeners(n = limits.default, ...targets) {
  validateNumber(n, 'setMaxListeners', 0);
  if (targets.length === 0) {
    limits.default = n;
    return;
  }
  const { EventTarget } = require('web/event_target');
  const { setLimit } = require('web/listener_limits');
  ArrayForEach(targets, (target) => {
    if (target instanceof EventTarget) {
      setLimit(target, n);
    } else if (typeof target.setMaxListeners === 'function') target.setMaxListeners(n);
    else throw new codes.ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
  });
}

function listenerCount(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  return getEventListeners(emitterOrTarget, type).length;
}

module.exports = { getEventListeners, getMaxListeners, setMaxListeners, listenerCount };
