'use strict';
// Owns: the option `websocket` of RT.serve: validation, defaults, and the set of open sockets.

const { ArrayIncludes, ArrayJoin, ArrayMap, NumberIsInteger, WeakMapGet, intact } = require('internal/primordials');
const { wrongType } = require('internal/errors/errors');
const { inContext } = require('rt/serve/context');

const native = host.native;
const USUAL_PAYLOAD = 16 * 1024 * 1024;
const USUAL_BACKPRESSURE = 16 * 1024 * 1024;
const USUAL_IDLE_S = 120;
const MOST_IDLE_S = 960;
const SQUEEZING = ['disable', 'shared', 'dedicated', '3KB', '4KB', '8KB', '16KB', '32KB', '64KB', '128KB', '256KB'];

const isNothing = (value) => value === undefined || value === null;

function integerOf(options, name, usual) {
  const value = options[name];
  if (isNothing(value)) return usual;
  if (typeof value !== 'number' || !NumberIsInteger(value)) throw wrongType(`websocket expects ${name} to be an integer`);
  return value;
}

function flagOf(options, name, usual) {
  const value = options[name];
  if (isNothing(value)) return usual;
  if (typeof value !== 'boolean') throw wrongType(`websocket expects ${name} to be a boolean`);
  return value;
}

/** Window sizes are only validated: messages are compressed one by one, whatever the size. */
function checkSqueezing(setting) {
  for (const name of intact(['compress', 'decompress'])) {
    const value = setting[name];
    if (isNothing(value) || typeof value === 'boolean' || ArrayIncludes(SQUEEZING, value)) continue;
    const names = ArrayJoin(
      ArrayMap(SQUEEZING, (each) => `"${each}"`),
      ' ',
    );
    throw wrongType(`websocket expects a valid ${name} option, one of ${names}, or a boolean`);
  }
}

class WebSocketOptions {
  sockets = new Set();
  #partsOf;

  /** `partsOf` is a WeakMap from a socket to its wire. */
  constructor(options, partsOf) {
    this.#partsOf = partsOf;
    for (const name of intact(['open', 'message', 'close', 'drain', 'ping', 'pong', 'error'])) {
      const handler = options[name];
      if (!isNothing(handler) && typeof handler !== 'function')
        throw wrongType(`websocket expects a function for the '${name}' option`);
      this[name] = inContext(handler ?? undefined);
    }
    this.maxPayload = integerOf(options, 'maxPayloadLength', USUAL_PAYLOAD);
    this.backpressureLimit = integerOf(options, 'backpressureLimit', USUAL_BACKPRESSURE);
    this.closesOnLimit = flagOf(options, 'closeOnBackpressureLimit', false);
    const idle = integerOf(options, 'idleTimeout', USUAL_IDLE_S);
    if (idle > MOST_IDLE_S) throw wrongType(`websocket expects idleTimeout to be ${MOST_IDLE_S} or less`);
    this.idleMs = idle * 1000;
    this.sendsPings = flagOf(options, 'sendPings', true);
    this.publishesToSelf = flagOf(options, 'publishToSelf', false);
    const { perMessageDeflate: squeezes } = options;
    if (!isNothing(squeezes) && typeof squeezes !== 'boolean' && typeof squeezes !== 'object' && typeof squeezes !== 'function')
      throw wrongType('websocket expects perMessageDeflate to be a boolean or an object');
    if (typeof squeezes === 'object' && squeezes !== null) checkSqueezing(squeezes);
    this.squeezes = Boolean(squeezes);
  }

  get count() {
    return this.sockets.size;
  }

  /** Pings idle sockets; closes those that have not answered. */
  sweep() {
    if (this.idleMs <= 0) return;
    const now = native.now();
    for (const socket of intact(this.sockets)) WeakMapGet(this.#partsOf, socket).sweep(now, this);
  }
}

module.exports = { WebSocketOptions };
