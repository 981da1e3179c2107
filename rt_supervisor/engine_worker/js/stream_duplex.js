'use strict';
// Owns: Duplex: a Readable whose writable side is a Writable's, with two states and one life.

const { Stream } = require('./stream_legacy');
const Readable = require('./stream_readable');
const Writable = require('./stream_writable');
const { construct } = require('./stream_destroy');
const { kOnConstructed, addAbortSignal } = require('./stream_shared');

const METHODS = ['read', 'write', 'writev', 'destroy', 'final', 'construct'];

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._readableState = new Readable.ReadableState(options, this, true);
  this._writableState = new Writable.WritableState(options, this, true);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options) {
    if (options.readable === false) Object.assign(this._readableState, { readable: false, ended: true, endEmitted: true });
    if (options.writable === false) Object.assign(this._writableState, { writable: false, ending: true, ended: true, finished: true });
    for (const name of METHODS) if (typeof options[name] === 'function') this[`_${name}`] = options[name];
    if (options.signal) addAbortSignal(options.signal, this);
  }
  Stream.call(this, options);
  if (this._construct != null) {
    construct(this, () => {
      this._readableState[kOnConstructed](this);
      this._writableState[kOnConstructed](this);
    });
  }
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);

// 'writable' and the like come from Writable; what both have (closed, errored) is Readable's.
for (const name of Object.getOwnPropertyNames(Writable.prototype)) {
  if (name === 'constructor' || name === 'pipe' || name === '_undestroy' || name === '_destroy') continue;
  if (name === 'closed' || name === 'errored' || name === 'destroyed' || name === 'writableAborted') continue; // not in Node either
  Object.defineProperty(Duplex.prototype, name, Object.getOwnPropertyDescriptor(Writable.prototype, name));
}
Object.defineProperty(Duplex.prototype, 'destroyed', {
  configurable: true,
  get() {
    return this._readableState === undefined || this._writableState === undefined
      ? false : this._readableState.destroyed && this._writableState.destroyed;
  },
  set(value) {
    if (!this._readableState || !this._writableState) return;
    this._readableState.destroyed = value;
    this._writableState.destroyed = value;
  },
});

Duplex.from = (body) => require('./stream_duplexify').duplexFrom(body);
Duplex.fromWeb = (pair, options) => require('./stream_web_bridge').duplexFromWeb(pair, options);
Duplex.toWeb = (duplex, options) => require('./stream_web_bridge').duplexToWeb(duplex, options);

module.exports = Duplex;
