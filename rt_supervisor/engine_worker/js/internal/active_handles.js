// @ts-check
'use strict';
// Owns: which handles are open and how many requests are under way, for process.getActiveResourcesInfo and its like. Who opens a handle
// says so: `activity(owner)` returns what it is called while it would keep the program alive, undefined while it was unref'd.

// prettier-ignore
const { ArrayIncludes, ArrayPush, MapDelete, MapEntries, MapSet, SetHas, WeakMapGet, WeakMapSet, intact } = require('internal/primordials');
const { heap } = require('internal/timer_heap');

/** How many requests of each kind were begun and are not over. */
const underWay = { FSReqCallback: 0, GetAddrInfoReqWrap: 0, GetNameInfoReqWrap: 0 };
const open = new Map(); // activity, by owner
const kept = new WeakMap(); // [owner, name], by the timer that stands for a handle

/** @param {object} owner @param {(owner: any) => string | undefined} activity */
function opened(owner, activity) {
  MapSet(open, owner, activity);
}

/** @param {object} owner */
function closed(owner) {
  MapDelete(open, owner);
}

/** `timer` is no timer of the program's: it is what keeps `owner` going. Returns it. @param {string} name */
function standsFor(timer, owner, name) {
  WeakMapSet(kept, timer, [owner, name]);
  return timer;
}

/** The timers and immediates that keep the program alive. */
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

/** Owners and names of what is active: handles first, then timers and immediates, which own themselves. */
function active() {
  const handles = [];
  const timers = [];
  for (const { 0: owner, 1: activity } of intact([...intact(MapEntries(open))])) {
    const name = activity(owner);
    if (name !== undefined) ArrayPush(handles, [owner, name]);
  }
  for (const timer of intact(activeTimers())) {
    const handle = WeakMapGet(kept, timer);
    if (handle !== undefined) ArrayPush(handles, handle);
    else ArrayPush(timers, '_onImmediate' in timer ? 'Immediate' : 'Timeout');
  }
  return { handles, timers };
}

/** The names of requests under way, one for each. */
function requests() {
  const names = [];
  for (const kind in underWay) {
    for (let count = underWay[kind]; count > 0; count--) ArrayPush(names, kind);
  }
  return names;
}

module.exports = { active, closed, opened, requests, standsFor, underWay };
