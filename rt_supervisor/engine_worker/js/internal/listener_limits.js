// @ts-check
'use strict';
// Owns: how many listeners an event may have before a warning about a leak, of emitters and of EventTargets alike, and the
// names under which a program finds a target's own limit and whether it has been warned about.

const limits = { default: 10 };

/** @type {any} */
const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
/** @type {any} */
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');

module.exports = { limits, kMaxEventTargetListeners, kMaxEventTargetListenersWarned };
