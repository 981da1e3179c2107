// @ts-check
'use strict';
// Owns: the registry of open handles and pending requests behind process.getActiveResourcesInfo and similar functions. The code
// that opens a handle registers it: `activity(owner)` returns the handle's type name while the handle keeps the program alive,
// and undefined while it is unref'd.

// prettier-ignore
const { ArrayIncludes, ArrayPush, MapDelete, MapEntries, MapSet, SetHas, WeakMapGet, WeakMapSet, intact } = require('internal/primordials');
const { heap } = require('internal/timer_heap');

/** The number of pending requests of each kind. */
const pendingRequests = { FSReqCallback: 0, GetAddrInfoReqWrap: 0, GetNameInfoReqWrap: 0 };
const open = new Map(); // owner -> activity
const timerOwners = new WeakMap(); // timer that represents a handle -> [owner, name]

/** @param {object} owner @param {(owner: any) => string | undefined} activity */
function addHandle(owner, activity) {
  MapSet(open, owner, activity);
}

/** @param {object} owner */
function removeHandle(owner) {
  MapDelete(open, owner);
}

/** Declares that `timer` is not one of the program's timers but represents `owner`. Returns it. @param {string} name */
function markStandIn(timer, owner, name) {
  WeakMapSet(timerOwners, timer, [owner, name]);
  return timer;
}

/** Returns the timers and immediates that keep the program alive. */
function activeTimers() {
  const { immediates, closing, running } = require('internal/timers').state();
  const live = [];
  for (const entry of intact(heap)) if (entry.timer._entry === entry && entry.timer._referenced) ArrayPush(live, entry.timer);
  if (running?._referenced && !running._destroyed && !ArrayIncludes(live, running)) ArrayPush(live, running);
  for (const each of intact(immediates)) {
    if (!each._destroyed && each._referenced && !SetHas(closing, each)) ArrayPush(live, each);
  }
  return live;
}

/** Returns owners and names of active resources: handles first, then timers and immediates, which are their own owners. */
function active() {
  const handles = [];
  const timers = [];
  for (const { 0: owner, 1: activity } of intact([...intact(MapEntries(open))])) {
    const name = activity(owner);
    if (name !== undefined) ArrayPush(handles, [owner, name]);
  }
  for (const timer of intact(activeTimers())) {
    const handle = WeakMapGet(timerOwners, timer);
    if (handle !== undefined) ArrayPush(handles, handle);
    else ArrayPush(timers, '_onImmediate' in timer ? 'Immediate' : 'Timeout');
  }
  return { handles, timers };
}

/** Returns the names of pending requests, one for each. */
function requests() {
  const names = [];
  for (const kind in pendingRequests) {
    for (let count = pendingRequests[kind]; count > 0; count--) ArrayPush(names, kind);
  }
  return names;
}

module.exports = { active, removeHandle, addHandle, requests, markStandIn, pendingRequests };
