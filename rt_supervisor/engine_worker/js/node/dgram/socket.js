'use strict';
// Owns: dgram.Socket. Unbound -> binding -> bound -> closed; independently of that, unconnected -> connecting -> connected.
// Messages sent while a socket is being bound wait until it is listening.

const { ArrayPush, NumberIsInteger, ObjectDefineProperties, ObjectDefineProperty } = require('internal/primordials');
const { ReflectApply, StringToLowerCase, intact } = require('internal/primordials');
const native = host.native;
const runtimeParts = require('internal/parts');
const EventEmitter = require('node/events/events');
const { codes, errnoException, exceptionWithHostPort } = require('internal/errors/errors');
const { addPlace, currentPlace } = require('internal/errors/places');
const { nextTick } = require('internal/timers');
const { validateNumber, validateString } = require('internal/validators');
const { blockedError, socketOptions, validPort, sendArguments } = require('node/dgram/arguments');
const { kCheck, kDescriptor, optionMethods } = require('node/dgram/options');
const { Outgoing } = require('node/dgram/outgoing');
const { isIP } = require('node/net/address');

const EBADF = -9;
class Socket extends EventEmitter {
  #options;
  #descriptor = -1;
  #state = 'unbound';
  #connection = 'none';
  #isReferenced = true;
  #isCounted = false;
  #waiting; // operations waiting for 'listening'
  #outgoing = new Outgoing(() => (this.#state === 'closed' ? undefined : this.#descriptor));

  constructor(type, listener) {
    super();
    this.#options = socketOptions(type);
    this.type = this.#options.type;
    if (typeof listener === 'function') this.on('message', listener);
    const { signal } = this.#options;
    if (signal !== undefined) {
      const onAbort = () => {
        if (this.#state !== 'closed') this.close();
      };
      const listening = require('web/abort').addAbortListener(signal, onAbort);
      this.once('close', () => listening[Symbol.dispose]());
    }
    this.#outgoing.open(this, () => this.#isReferenced);
    runtimeParts.publish?.('udp.socket', { socket: this });
  }

  #family() {
    return this.type === 'udp6' ? 6 : 4;
  }

  [kDescriptor]() {
    return this.#descriptor;
  }

  [kCheck](needsAddress) {
    this.#check();
    if (needsAddress && this.#state === 'unbound') this.bindSync();
  }

  #check() {
    if (this.#state === 'closed') throw new codes.ERR_SOCKET_DGRAM_NOT_RUNNING();
  }

  #lookup(address, callback) {
    const usual = this.#family() === 6 ? '::1' : '127.0.0.1';
    const name = address || usual;
    const { lookup } = this.#options;
    if (lookup !== undefined) lookup(name, this.#family(), callback);
    else if (isIP(name) !== 0) nextTick(callback, null, name);
    else require('node/dns/dns').lookup(name, this.#family(), callback);
  }

  #open() {
    const { reuseAddr = false, reusePort = false, ipv6Only = false } = this.#options;
    const descriptor = native.dgram_open(this.#family(), {
      reuseAddr: Boolean(reuseAddr),
      reusePort: Boolean(reusePort),
      ipv6Only: Boolean(ipv6Only),
    });
    if (descriptor < 0) throw errnoException(descriptor, 'socket');
    this.#descriptor = descriptor;
  }

  #handleBound() {
    this.#state = 'bound';
    const { recvBufferSize, sendBufferSize } = this.#options;
    if (recvBufferSize) native.dgram_bufferSize(this.#descriptor, 'receive', recvBufferSize);
    if (sendBufferSize) native.dgram_bufferSize(this.#descriptor, 'send', sendBufferSize);
    this.#outgoing.receive(this.#descriptor, (...message) => this.#receive(...intact(message)));
    this.#count();
  }

  #count() {
    const counts = this.#isReferenced && this.#state === 'bound';
    if (counts === this.#isCounted) return;
    this.#isCounted = counts;
    native.pipes_reference(counts ? 1 : -1);
  }

  #receive(data, address, port) {
    if (typeof data === 'number') {
      this.emit('error', errnoException(data, 'recvmsg'));
      return;
    }
    const family = this.#family() === 6 ? 'IPv6' : 'IPv4';
    if (this.#options.receiveBlockList?.check(address, StringToLowerCase(family))) return;
    this.emit('message', require('node/buffer/views').asBuffer(data), { address, family, port, size: data.byteLength });
  }

  bind(port, address /* , callback */) {
    this.#check();
    if (this.#state !== 'unbound') throw new codes.ERR_SOCKET_ALREADY_BOUND();
    const callback = arguments[arguments.length - 1];
    const bindOptions = typeof port === 'object' && port !== null ? port : {};
    let place = typeof address === 'function' ? undefined : address;
    let number = port;
    if (typeof port === 'object' && port !== null) [number, place] = intact([port.port, port.address || '']);
    const { fd } = bindOptions;
    if (NumberIsInteger(fd) && fd > 0) this.#adopt(fd);
    this.#state = 'binding';
    if (typeof callback === 'function') {
      const forget = () => {
        this.removeListener('error', forget);
        this.removeListener('listening', onListening);
      };
      const onListening = () => {
        forget();
        ReflectApply(callback, this, []);
      };
      this.on('error', forget);
      this.on('listening', onListening);
    }
    if (this.#descriptor >= 0) {
      this.#handleBound();
      nextTick(() => this.emit('listening'));
      return this;
    }
    const bindPlace = currentPlace();
    this.#lookup(place || (this.#family() === 6 ? '::' : '0.0.0.0'), (error, result) => {
      if (this.#state !== 'binding') return; // closed meanwhile
      if (!error && runtimeParts.cluster !== undefined && !bindOptions.exclusive && !this.#options.reusePort) {
        this.#share(result, Number(number) || 0);
        return;
      }
      const failure = error ?? this.#bindTo(result, number);
      if (failure) {
        this.#state = 'unbound';
        this.emit('error', addPlace(failure, bindPlace));
        return;
      }
      this.emit('listening');
    });
    return this;
  }

  #adopt(descriptor) {
    const family = native.dgram_kindOf(descriptor);
    if (family !== this.#family()) throw new codes.ERR_INVALID_FD_TYPE(family === 0 ? 'UNKNOWN' : `UDP${family}`);
    this.#descriptor = descriptor;
  }

  /** Requests the socket from the cluster primary. */
  #share(address, port) {
    const request = {
      address,
      said: address,
      port,
      addressType: this.type,
      reuseAddr: this.#options.reuseAddr,
      ipv6Only: this.#options.ipv6Only,
    };
    const stop = () => {
      if (this.#state !== 'closed') this.close();
    };
    runtimeParts.cluster.share(request, {
      hear() {},
      stop,
      onAnswer: (errno, descriptor, isInTurn, left) => {
        if (errno < 0) {
          this.#state = 'unbound';
          this.emit('error', exceptionWithHostPort(errno, 'bind', address, port));
          return;
        }
        this.#descriptor = descriptor;
        this.once('close', left);
        if (this.#state !== 'binding') {
          left();
          native.dgram_close(descriptor);
          return;
        }
        this.#handleBound();
        this.emit('listening');
      },
    });
  }

  /** Binds to a numeric address; returns the error if that fails. */
  #bindTo(address, port) {
    this.#open();
    const outcome = native.dgram_at(this.#descriptor, 'bind', address, Number(port) || 0);
    if (outcome < 0) {
      native.dgram_close(this.#descriptor);
      this.#descriptor = -1;
      return exceptionWithHostPort(outcome, 'bind', address, port);
    }
    this.#handleBound();
    return undefined;
  }

  bindSync(options = {}) {
    this.#check();
    if (this.#state !== 'unbound') throw new codes.ERR_SOCKET_ALREADY_BOUND();
    const { port = 0, address = this.#family() === 6 ? '::' : '0.0.0.0' } = options;
    const failure = this.#bindTo(address, validPort(port, true));
    if (failure !== undefined) throw failure;
    return this.address();
  }

  connect(port, address, callback) {
    const number = validPort(port);
    if (typeof address === 'function') [callback, address] = intact([address, '']);
    else address ??= '';
    validateString(address, 'address');
    if (this.#connection !== 'none') throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
    this.#check();
    this.#connection = 'connecting';
    const connectPlace = currentPlace();
    this.#whenListening(() => {
      if (callback !== undefined) this.once('connect', callback);
      this.#lookup(address, (error, result) => {
        if (this.#state === 'closed') return;
        let failure = error;
        if (!failure && this.#options.sendBlockList?.check(result, `ipv${this.#family()}`)) failure = blockedError(result);
        const outcome = failure ? 0 : native.dgram_at(this.#descriptor, 'connect', result, number);
        if (outcome < 0) failure = exceptionWithHostPort(outcome, 'connect', result, number);
        if (failure) {
          addPlace(failure, connectPlace);
          this.#connection = 'none';
          nextTick(() => {
            if (callback === undefined) {
              this.emit('error', failure);
              return;
            }
            this.removeListener('connect', callback);
            callback(failure);
          });
          return;
        }
        this.#connection = 'connected';
        nextTick(() => this.emit('connect'));
      });
    });
  }

  connectSync(port, address = this.#family() === 6 ? '::1' : '127.0.0.1') {
    const number = validPort(port);
    validateString(address, 'address');
    this.#check();
    if (this.#connection !== 'none') throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
    if (this.#state === 'unbound') this.bindSync();
    const outcome = native.dgram_at(this.#descriptor, 'connect', address, number);
    if (outcome < 0) throw exceptionWithHostPort(outcome, 'connect', address, number);
    this.#connection = 'connected';
  }

  disconnect() {
    if (this.#connection !== 'connected') throw new codes.ERR_SOCKET_DGRAM_NOT_CONNECTED();
    const outcome = native.dgram_disconnect(this.#descriptor);
    if (outcome < 0) throw errnoException(outcome, 'disconnect');
    this.#connection = 'none';
  }

  #whenListening(action) {
    if (this.#state === 'unbound') this.bind({ port: 0, exclusive: true }, null);
    if (this.#state === 'bound') {
      action();
      return;
    }
    if (this.#waiting === undefined) {
      this.#waiting = [];
      const forget = () => {
        this.removeListener('listening', onListening);
        this.removeListener('error', forget);
        const waiting = this.#waiting;
        this.#waiting = undefined;
        return waiting;
      };
      const onListening = () => {
        for (const each of intact(forget())) each();
      };
      this.once('error', forget);
      this.once('listening', onListening);
    }
    ArrayPush(this.#waiting, action);
  }

  sendto(buffer, offset, length, port, address, callback) {
    validateNumber(offset, 'offset');
    validateNumber(length, 'length');
    validateNumber(port, 'port');
    validateString(address, 'address');
    this.send(buffer, offset, length, port, address, callback);
  }

  send(buffer, offset, length, port, address, callback) {
    const isConnected = this.#connection === 'connected';
    const message = sendArguments([buffer, offset, length, port, address, callback], isConnected);
    this.#check();
    // Only a name is looked up later; sending to an IP address fails at once.
    const sendPlace = message.address && !isIP(message.address) ? currentPlace() : undefined;
    this.#whenListening(() => {
      if (isConnected) {
        this.#deliver(message, '');
        return;
      }
      this.#lookup(message.address, (error, result) => {
        if (error) this.#reportError(addPlace(error, sendPlace), message.callback);
        else if (this.#options.sendBlockList?.check(result, `ipv${this.#family()}`))
          this.#reportError(blockedError(result), message.callback);
        else this.#deliver(message, result);
      });
    });
  }

  #reportError(error, callback) {
    if (callback === undefined) nextTick(() => this.emit('error', error));
    else nextTick(callback, error);
  }

  #deliver({ data, address, port, callback }, result) {
    if (this.#state === 'closed') return;
    const done = (outcome) => {
      if (outcome < 0) this.#reportError(exceptionWithHostPort(outcome, 'send', address ?? result, port), callback);
      else if (callback !== undefined) nextTick(callback, null, outcome);
    };
    this.#outgoing.send({ data, found: result, port: port ?? 0, done });
  }

  close(callback) {
    if (typeof callback === 'function') this.on('close', callback);
    if (this.#waiting !== undefined && this.#state === 'binding') {
      ArrayPush(this.#waiting, () => this.close());
      return this;
    }
    this.#check();
    this.#state = 'closed';
    this.#count();
    this.#outgoing.close(this.#descriptor);
    this.#descriptor = -1;
    nextTick(() => this.emit('close'));
    return this;
  }

  async [Symbol.asyncDispose]() {
    if (this.#state === 'closed') return;
    await new Promise((resolve) => void this.close(resolve));
  }

  #place(name, syscall) {
    const found = this.#descriptor < 0 ? EBADF : native[name](this.#descriptor);
    if (typeof found === 'number') throw errnoException(found, syscall);
    const [address, family, port] = intact(found);
    return { address, family, port };
  }

  address() {
    this.#check();
    return this.#place('net_localName', 'getsockname');
  }

  remoteAddress() {
    this.#check();
    if (this.#connection !== 'connected') throw new codes.ERR_SOCKET_DGRAM_NOT_CONNECTED();
    return this.#place('net_remoteName', 'getpeername');
  }

  ref() {
    this.#isReferenced = true;
    this.#count();
    return this;
  }

  unref() {
    this.#isReferenced = false;
    this.#count();
    return this;
  }

  getSendQueueSize() {
    return this.#outgoing.bytes;
  }
  getSendQueueCount() {
    return this.#outgoing.length;
  }
}
ObjectDefineProperties(Socket.prototype, optionMethods);
ObjectDefineProperty(Socket.prototype.connectSync, 'length', { __proto__: null, value: 2, configurable: true });

module.exports = { Socket };
