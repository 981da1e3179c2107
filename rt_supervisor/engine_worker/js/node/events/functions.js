// @ts-check
'use strict';
// Owns: the functions of node:events that take an emitter or an EventTarget: their listeners and how many they may have.

const { ArrayForEach, WeakMapGet, WeakMapSet } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateNumber } = require('internal/validators');
const { limits, limitOf } = require('node/events/limits');

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget?.listeners === 'function') return emitterOrTarget.listeners(type);
  const { EventTarget, listenersOf } = require('web/event_target');
  if (emitterOrTarget instanceof EventTarget) return listenersOf(emitterOrTarget, `${String(type)}`);
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

const isSignal = (target) => target instanceof require('web/abort').AbortSignal;

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') return limitOf(emitterOrTarget);
  const { EventTarget, maxListeners } = require('web/event_target');
  if (emitterOrTarget instanceof EventTarget)
    return WeakMapGet(maxListeners, emitterOrTarget) ?? (isSignal(emitterOrTarget) ? 0 : limits.default);
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function setMaxListeners(n = limits.default, ...targets) {
  validateNumber(n, 'setMaxListeners', 0);
  if (targets.length === 0) {
    limits.default = n;
    return;
  }
  const { EventTarget, maxListeners } = require('web/event_target');
  ArrayForEach(targets, (target, index) => {
    if (target instanceof EventTarget) WeakMapSet(maxListeners, target, n);
    else if (typeof target.setMaxListeners === 'function') target.setMaxListeners(n);
    else throw new codes.ERR_INVALID_ARG_TYPE(`eventTargets[${index}]`, ['EventEmitter', 'EventTarget'], target);
  });
}

function listenerCount(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  return getEventListeners(emitterOrTarget, type).length;
}

module.exports = { getEventListeners, getMaxListeners, setMaxListeners, listenerCount };
