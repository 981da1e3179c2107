// @ts-check
'use strict';
// Owns: the place of an error that the event loop creates. Such an error has no frames, because no JavaScript was
// running. It receives the frames of the async functions that await the operation, or of the call that started it. An
// error that already has frames keeps them.

const {
  ErrorCaptureStackTrace,
  MathMin,
  MathTrunc,
  ObjectDefineProperty,
  StringIncludes,
  WeakMapDelete,
  WeakMapGet,
  WeakMapSet,
} = require('internal/primordials');
const { isError } = require('internal/brands');
const { Place, framesBehindHook, headline } = require('internal/stack');

const ErrorClass = Error; // the engine reads the limit from the original class
const MOST_FRAMES = 50; // in a place, including those of the library, which are not shown

/**
 * Returns the place of the running call, for `addPlace` and `rejecter`, or undefined if the program has disabled stack
 * traces. A place is formatted only when an error needs it.
 */
function currentPlace() {
  const limit = ErrorClass.stackTraceLimit;
  if (typeof limit !== 'number' || !(limit > 0)) return undefined;
  const place = new Place(limit);
  try {
    ErrorClass.stackTraceLimit = MOST_FRAMES;
    ErrorCaptureStackTrace(place, currentPlace);
    ErrorClass.stackTraceLimit = limit;
  } catch {
    return undefined; // the program has frozen Error
  }
  return place;
}

const BURST = 100; // places that may be recorded at once
const REFILL_MS = 10; // time until one more may be recorded
let spare = BURST;
let filledAt = 0;

/**
 * As `currentPlace`, for frequent operations whose promises programs usually await: V8 needs 10 to 25 µs to walk the stack.
 * After a burst, only a limited number of calls per second are recorded; the others return undefined.
 */
function occasionalPlace() {
  if (spare < BURST) {
    const now = host.now();
    const more = MathTrunc((now - filledAt) / REFILL_MS);
    if (more > 0) {
      spare = MathMin(BURST, spare + more);
      filledAt = now;
    }
    if (spare === 0) return undefined;
  }
  spare--;
  return currentPlace();
}

function hasFrames(error) {
  const { stack } = error;
  const sites = framesBehindHook(error);
  return sites === undefined ? typeof stack !== 'string' || StringIncludes(stack, '\n    at ') : sites.length > 0;
}

/** Adds the frames of `place` to an error without frames, and returns it. @param {any} error */
function addPlace(error, place) {
  try {
    if (!place || !isError(error) || hasFrames(error)) return error;
    const value = `${headline(error)}${place.text()}`;
    ObjectDefineProperty(error, 'stack', { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  } catch {
    // the program's own formatter threw, or the error is frozen: it remains unchanged
  }
  return error;
}

/**
 * Adds the frames of the running call and of the async functions that await it to an error without frames, and returns
 * it.
 */
function addAwaiting(error) {
  try {
    if (isError(error) && !hasFrames(error)) ErrorCaptureStackTrace(error, addAwaiting);
  } catch {
    // as in `addPlace`
  }
  return error;
}

/**
 * Returns a function that rejects a promise by its `resolve` function. V8 finds the async functions that await the promise only
 * from a job of that promise, such as the call of `then` that resolving it with an object causes.
 * @param {(value: any) => void} resolve
 * @param {InstanceType<typeof Place> | null} [place]
 */
function rejecter(resolve, place = currentPlace()) {
  return (error) => {
    resolve({ __proto__: null, then: (_, reject) => reject(addPlace(addAwaiting(error), place)) });
  };
}

/**
 * As `rejecter`, for operations that are too frequent to record the place of each: an error receives only the frames of the
 * async functions that await the promise.
 */
const awaitedRejecter = (resolve) => rejecter(resolve, null);

// Target being opened -> the place of the call that opens it. A place keeps the functions of its frames alive, so an
// entry is deleted as soon as the target is open.
const opening = new WeakMap();

/** Stores the place of the running call, or of some of many calls, for errors of `target`, such as a socket that starts to connect. */
function keepPlace(target) {
  const place = occasionalPlace();
  if (place !== undefined) WeakMapSet(opening, target, place);
}

const forgetPlace = (target) => void WeakMapDelete(opening, target);

/** Adds the place that `keepPlace` stored to an error of `target`. */
const addPlaceOf = (target, error) => addPlace(error, WeakMapGet(opening, target));

module.exports = {
  currentPlace,
  occasionalPlace,
  addAwaiting,
  addPlace,
  rejecter,
  awaitedRejecter,
  keepPlace,
  forgetPlace,
  addPlaceOf,
};
