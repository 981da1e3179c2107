// @ts-check
'use strict';
// Owns: timerify: wraps a function to create an entry of type "function" for each call.

const { AnyFinally } = require('internal/any_kind');
const {
  MathCeil,
  MathMax,
  ObjectAssign,
  ObjectDefineProperties,
  ReflectApply,
  ReflectConstruct,
} = require('internal/primordials');
const native = host.native;
const startValues = require('internal/start_values');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateObject } = require('internal/validators');
const { PerformanceNodeEntry } = require('node/perf_hooks/entries');
const { enqueue } = require('node/perf_hooks/observer');

function timerify(fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined) {
    const { RecordableHistogram } = require('node/perf_hooks/histogram');
    if (!(histogram instanceof RecordableHistogram)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
    }
  }
  const done = (start, args) => {
    const duration = native.now() - startValues.startedAt - start;
    histogram?.record(MathMax(1, MathCeil(duration * 1e6)));
    enqueue(ObjectAssign(new PerformanceNodeEntry(fn.name, 'function', start, duration, args), args));
  };
  function timerified(...args) {
    const start = native.now() - startValues.startedAt;
    const isConstructed = new.target !== undefined;
    const result = isConstructed ? ReflectConstruct(fn, args, fn) : ReflectApply(fn, this, args);
    if (!isConstructed && typeof result?.finally === 'function') return AnyFinally(result, () => done(start, args));
    done(start, args);
    return result;
  }
  ObjectDefineProperties(timerified, {
    length: { __proto__: null, configurable: false, enumerable: true, value: fn.length },
    name: { __proto__: null, configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timerified;
}

module.exports = { timerify };
