'use strict';
// Owns: Duplex: a Readable with the writable side of Writable; two states, one lifecycle.

const {
  FunctionCall,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  ObjectSetPrototypeOf,
  intact,
} = require('internal/primordials');
const { Stream } = require('node/stream/legacy');
const Readable = require('node/stream/readable');
const Writable = require('node/stream/writable');
const { construct, kOnConstructed } = require('node/stream/destroy');
const { addAbortSignal } = require('node/stream/abort_signals');

const METHODS = ['read', 'write', 'writev', 'destroy', 'final', 'construct'];

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._events ??= {
    close: undefined,
    error: undefined,
    prefinish: undefined,
    finish: undefined,
    drain: undefined,
    data: undefined,
    end: undefined,
    readable: undefined,
  };
  this._readableState = new Readable.ReadableState(options, this, true);
  this._writableState = new Writable.WritableState(options, this, true);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options) {
    if (options.readable === false) ObjectAssign(this._readableState, { readable: false, ended: true, endEmitted: true });
    if (options.writable === false)
      ObjectAssign(this._writableState, { writable: false, ending: true, ended: true, finished: true });
    for (let index = 0; index < METHODS.length; index++) {
      const name = METHODS[index];
      if (typeof options[name] === 'function') this[`_${name}`] = options[name];
    }
    if (options.signal) addAbortSignal(options.signal, this);
  }
  FunctionCall(Stream, this, options);
  if (this._construct != null) {
    construct(this, () => {
      this._readableState[kOnConstructed](this);
      this._writableState[kOnConstructed](this);
    });
  }
}
ObjectSetPrototypeOf(Duplex.prototype, Readable.prototype);
ObjectSetPrototypeOf(Duplex, Readable);

const writableProperties = require('internal/primordials').ownDescriptors(Writable.prototype);
// `writable` and others come from Writable; common properties (closed, errored) are Readable's.
for (const name of intact(ObjectGetOwnPropertyNames(Writable.prototype))) {
  if (name === 'constructor' || name === 'pipe' || name === '_undestroy' || name === '_destroy') continue;
  if (name === 'closed' || name === 'errored' || name === 'destroyed' || name === 'writableAborted') continue; // not in Node either
  ObjectDefineProperty(Duplex.prototype, name, writableProperties[name]);
}
ObjectDefineProperty(Duplex.prototype, 'destroyed', {
  __proto__: null,
  configurable: true,
  get() {
    return this._readableState === undefined || this._writableState === undefined
      ? false
      : this._readableState.destroyed && this._writableState.destroyed;
  },
  set(value) {
    if (!this._readableState || !this._writableState) return;
    this._readableState.destroyed = value;
    this._writableState.destroyed = value;
  },
});

Duplex.from = (body) => require('node/stream/duplexify').duplexFrom(body);
Duplex.fromWeb = (pair, options) => require('node/stream/web_bridge').duplexFromWeb(pair, options);
Duplex.toWeb = (duplex, options) => require('node/stream/web_bridge').duplexToWeb(duplex, options);

module.exports = Duplex;
