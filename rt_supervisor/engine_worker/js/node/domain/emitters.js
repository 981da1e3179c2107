'use strict';
// Owns: the EventEmitter patches of node:domain: an emitter created inside a domain belongs to it, its listeners run inside
// it, and the domain receives errors for which the emitter has no listener.

const runtimeParts = require('internal/parts');
const { FunctionCall, ReflectApply } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const EventEmitter = require('node/events/events');

function start(domain, { mark, outsideCurrent }) {
  const { init } = EventEmitter;
  const { emit } = EventEmitter.prototype;

  EventEmitter.usingDomains = true;
  EventEmitter.init = function (options) {
    mark(this, domain.active && !(this instanceof domain.Domain) ? domain.active : null);
    return FunctionCall(init, this, options);
  };
  EventEmitter.prototype.emit = function (...args) {
    const owner = this.domain;
    const isError = args[0] === 'error';
    if (
      owner === null ||
      owner === undefined ||
      this === runtimeParts.process.process ||
      (isError && this.listenerCount('error') > 0)
    )
      return ReflectApply(emit, this, args);
    if (!isError) {
      owner.enter();
      const result = ReflectApply(emit, this, args);
      owner.exit();
      return result;
    }
    const error = args[1] || new codes.ERR_UNHANDLED_ERROR();
    if (typeof error === 'object') {
      error.domainEmitter = this;
      mark(error, owner);
      error.domainThrown = false;
    }
    outsideCurrent(() => owner.emit('error', error));
    return false;
  };
}

module.exports = { start };
