'use strict';
// Owns: RT.udpSocket: a UDP socket with handlers instead of events. Arguments are validated as in Bun; the rest uses the
// operations of node:dgram.

const { intact } = require('internal/primordials');
const native = host.native;
const { isArrayBuffer, isPromise } = require('internal/brands');
const { codes, errnoException } = require('internal/errors/errors');

const EAGAIN = -11;
const EMSGSIZE = -90;
const BINARY = {
  __proto__: null,
  buffer: (data) => require('node/buffer/views').asBuffer(data),
  uint8array: (data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  arraybuffer: (data) => data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength),
};

function wrong(text) {
  const error = new codes.ERR_INVALID_ARG_TYPE('x', 'string', 0);
  error.message = text;
  return error;
}
const isPort = (value, least) => Number.isInteger(value) && value >= least && value <= 65535;

function handlersOf(socket) {
  if (socket === undefined || socket === null) return {};
  if (typeof socket !== 'object') throw wrong('Expected "socket" to be an object');
  const handlers = {};
  for (const name of intact(['data', 'drain', 'error'])) {
    const handler = socket[name];
    if (handler === undefined || handler === null) continue;
    if (typeof handler !== 'function') throw wrong(`Expected "socket.${name}" to be a function`);
    handlers[name] = handler;
  }
  return handlers;
}

function checkOptions(options) {
  if (typeof options !== 'object' || options === null) throw wrong('Expected an object');
  const { hostname = '0.0.0.0', port = 0, socket, binaryType, connect } = options;
  if (typeof hostname !== 'string') throw wrong('Expected "hostname" to be a string');
  if (!isPort(port, 0)) throw wrong('Expected "port" to be an integer between 0 and 65535');
  if (connect !== undefined && connect !== null) {
    if (typeof connect !== 'object') throw wrong('Expected "connect" to be an object');
    if (typeof connect.hostname !== 'string') throw wrong('Expected "connect.hostname" to be a string');
    if (!Number.isInteger(connect.port)) throw wrong('Expected "connect.port" to be an integer');
    if (!isPort(connect.port, 1)) throw wrong('Expected "connect.port" to be an integer between 1 and 65535');
  }
  const kind = binaryType in BINARY ? binaryType : 'buffer';
  return { hostname, port, connect: connect ?? undefined, kind, handlers: handlersOf(socket) };
}

const bytesOf = (data) => {
  if (typeof data === 'string') return native.encodeUtf8(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (isArrayBuffer(data)) return new Uint8Array(data);
  throw wrong('Expected ArrayBufferView or string as first argument');
};

function optionError(outcome) {
  const { getSystemErrorName, getSystemErrorMessage } = require('internal/errors/errno');
  const code = getSystemErrorName(outcome);
  const error = new Error(`${code}: ${getSystemErrorMessage(outcome)}, setsockopt`);
  return Object.assign(error, { code, errno: outcome, syscall: 'setsockopt' });
}

class UDPSocket {
  #descriptor;
  #handlers;
  #connected;
  #port;
  #address;
  #isReferenced = true;
  #isWaiting = false; // until the system's buffer has room for a datagram

  constructor(descriptor, { hostname, kind, handlers, connected }) {
    this.#descriptor = descriptor;
    this.hostname = hostname;
    this.binaryType = kind;
    this.#handlers = handlers;
    this.#connected = connected;
    this.#address = place(native.net_localName(descriptor));
    this.#port = this.#address.port;
    native.pipes_reference(1);
    native.dgram_receive(descriptor, (...message) => this.#receive(...intact(message)));
  }

  get port() {
    return this.#port;
  }
  get fd() {
    return this.#descriptor;
  }
  get closed() {
    return this.#descriptor < 0;
  }
  get address() {
    return this.closed ? undefined : this.#address;
  }
  get remoteAddress() {
    return this.closed ? undefined : this.#connected;
  }

  #call(name, ...args) {
    const handler = this.#handlers[name];
    if (handler === undefined) return;
    try {
      const outcome = handler(...intact(args));
      if (isPromise(outcome)) outcome.catch((error) => this.#failed(error));
    } catch (error) {
      if (name === 'error') host.reportException(error);
      else this.#failed(error);
    }
  }
  #failed(error) {
    if (this.#handlers.error === undefined) host.reportException(error);
    else this.#call('error', error);
  }

  #receive(data, address, port) {
    if (this.closed) return;
    if (typeof data === 'number') this.#failed(errnoException(data, 'recv'));
    else
      this.#call('data', this, BINARY[this.binaryType](data), port, address, { truncated: false, ipv6: address.includes(':') });
  }

  #check() {
    if (this.closed) throw new Error('Socket is closed');
  }

  /** Returns whether the datagram was sent; if the system's buffer was full, 'drain' follows. */
  #send(data, port, address) {
    const outcome = native.dgram_send(this.#descriptor, data, address, port);
    if (outcome === EAGAIN) this.#await();
    else if (outcome === EMSGSIZE || (outcome < 0 && this.#connected === undefined)) throw errnoException(outcome, 'send');
    else if (outcome < 0) this.#failed(errnoException(outcome, 'send'));
    return outcome >= 0;
  }
  #await() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    native.dgram_sendLater(this.#descriptor, new Uint8Array(0), '', 0, () => {
      this.#isWaiting = false;
      if (!this.closed) this.#call('drain', this);
    });
  }

  #target(port, address) {
    if (!isPort(port, 1)) throw wrong('Expected "port" to be an integer between 1 and 65535');
    if (require('node/net/address').isIP(`${address}`.split('%')[0]) === 0) throw wrong('Invalid address');
    return [port, `${address}`];
  }

  send(data, port, address) {
    this.#check();
    if (this.#connected !== undefined) {
      if (arguments.length > 1) throw wrong('Cannot specify destination on connected socket');
      if (arguments.length === 0) throw wrong('Expected 1 argument, got 0');
      return this.#send(bytesOf(data), 0, '');
    }
    if (arguments.length !== 3) throw wrong(`Expected 3 arguments, got ${arguments.length}`);
    const bytes = bytesOf(data);
    return this.#send(bytes, ...intact(this.#target(port, address)));
  }

  /** Returns the number of datagrams sent. */
  sendMany(packets) {
    this.#check();
    if (arguments.length !== 1) throw wrong(`Expected 1 argument, got ${arguments.length}`);
    if (!Array.isArray(packets)) throw wrong('Expected an array');
    const step = this.#connected === undefined ? 3 : 1;
    if (packets.length % step !== 0) throw wrong('Expected 3 arguments for each packet');
    const ready = [];
    for (let index = 0; index < packets.length; index += step) {
      const target = step === 1 ? [0, ''] : this.#target(packets[index + 1], packets[index + 2]);
      ready.push([bytesOf(packets[index]), ...intact(target)]);
    }
    let count = 0;
    for (const packet of intact(ready)) {
      if (!this.#send(...intact(packet))) break;
      count++;
    }
    return count;
  }

  reload(options) {
    if (arguments.length === 0) throw wrong('Expected 1 argument');
    if (typeof options !== 'object' || options === null) throw wrong('Expected an object');
    const handlers = handlersOf(options.socket);
    if (options.socket) this.#handlers = handlers;
  }

  #set(outcome, value) {
    if (outcome < 0) throw optionError(outcome);
    return value;
  }
  #option(name, value) {
    this.#check();
    return this.#set(native.dgram_setOption(this.#descriptor, name, Number(value)), value);
  }
  setBroadcast(isOn) {
    return this.#option('broadcast', Boolean(isOn));
  }
  setTTL(ttl) {
    return this.#option('ttl', ttl);
  }
  setMulticastTTL(ttl) {
    return this.#option('multicastTtl', ttl);
  }
  setMulticastLoopback(isOn) {
    return this.#option('multicastLoopback', Boolean(isOn));
  }
  setMulticastInterface(address) {
    this.#check();
    return this.#set(native.dgram_multicastInterface(this.#descriptor, `${address}`), true);
  }
  #membership(group, address, isAdded) {
    this.#check();
    return this.#set(native.dgram_membership(this.#descriptor, `${group}`, address ?? '', isAdded), true);
  }
  addMembership(group, address) {
    return this.#membership(group, address, true);
  }
  dropMembership(group, address) {
    return this.#membership(group, address, false);
  }
  #source(source, group, address, isAdded) {
    this.#check();
    return this.#set(native.dgram_sourceMembership(this.#descriptor, `${source}`, `${group}`, address ?? '', isAdded), true);
  }
  addSourceSpecificMembership(source, group, address) {
    return this.#source(source, group, address, true);
  }
  dropSourceSpecificMembership(source, group, address) {
    return this.#source(source, group, address, false);
  }

  #reference(isReferenced) {
    if (this.closed || isReferenced === this.#isReferenced) return;
    this.#isReferenced = isReferenced;
    native.pipes_reference(isReferenced ? 1 : -1);
  }
  ref() {
    this.#reference(true);
  }
  unref() {
    this.#reference(false);
  }

  close() {
    if (this.closed) return;
    this.#reference(false);
    native.dgram_close(this.#descriptor);
    this.#descriptor = -1;
  }
  [Symbol.dispose]() {
    this.close();
  }
}

const place = ({ 0: address, 1: family, 2: port }) => ({ address, family, port });

/** Resolves a name to an address and its family. */
async function numeric(name, onFailure) {
  const kind = require('node/net/address').isIP(name.split('%')[0]);
  if (kind !== 0) return { address: name, family: kind };
  try {
    return await require('node/dns/dns').promises.lookup(name);
  } catch {
    throw onFailure();
  }
}

function bindError(outcome, hostname) {
  const { getSystemErrorName } = require('internal/errors/errno');
  const code = getSystemErrorName(outcome);
  const error = new Error(`bind ${code} ${hostname}`);
  return Object.assign(error, { code, errno: -outcome, syscall: 'bind', address: hostname });
}

async function udpSocket(options) {
  const { hostname, port, connect, kind, handlers } = checkOptions(options);
  const { address, family } = await numeric(hostname, () => bindError(-2, hostname));
  const descriptor = native.dgram_open(family, { reuseAddr: false, reusePort: false, ipv6Only: false });
  if (descriptor < 0) throw errnoException(descriptor, 'socket');
  const give = (error) => {
    native.dgram_close(descriptor);
    return error;
  };
  const bound = native.dgram_at(descriptor, 'bind', address, port);
  if (bound < 0) throw give(bindError(bound, hostname));
  if (connect === undefined) return new UDPSocket(descriptor, { hostname, kind, handlers });
  const resolved = await numeric(connect.hostname, () => give(errnoException(-2, 'connect')));
  const outcome = native.dgram_at(descriptor, 'connect', resolved.address, connect.port);
  if (outcome < 0) throw give(errnoException(outcome, 'connect'));
  const connected = place(native.net_remoteName(descriptor));
  return new UDPSocket(descriptor, { hostname, kind, handlers, connected });
}

module.exports = { udpSocket };
