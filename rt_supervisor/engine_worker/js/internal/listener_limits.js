// @ts-check
'use strict';
// Owns: the default limit of listeners for the leak warning of emitters and EventTargets, and the symbols under which a program
// finds a target's own limit and whether the warning has been given.

const limits = { default: 10 };

/** @type {any} */
const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
/** @type {any} */
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');

module.exports = { limits, kMaxEventTargetListeners, kMaxEventTargetListenersWarned };
