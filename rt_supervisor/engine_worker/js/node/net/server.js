'use strict';
// Owns: net.Server: listens on an address or a path and emits connections; once closed, it waits for the last of them to end.

const native = host.native;
const runtimeParts = require('internal/parts');
const { ArrayIndexOf, ArrayPush, ArraySplice, MathFloor, ObjectDefineProperty } = require('internal/primordials');
const { ObjectSetPrototypeOf, ReflectConstruct, SetAdd, SetDelete } = require('internal/primordials');
const { StringToLowerCase, SymbolFor, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { PipeHandle, ListeningHandle } = require('internal/pipe_handle');
const { backlogOf, handleName, listenError, lookupToListen, modeOf, removePath } = require('node/net/listening');
const { Adopting, adopt } = require('node/net/adopting');
const { Socket } = require('node/net/socket');
const { normalizeArgs, isPath } = require('node/net/arguments');
const { nextTick, setImmediate } = require('internal/timers');
const { codes } = require('internal/errors/errors');
const { addPlaceOf, forgetPlace, keepPlace } = require('internal/errors/places');
const { validateAbortSignal, validateNumber, validateObject, validatePort } = require('internal/validators');
const { isIP } = require('node/net/address');

const NO_PORT = -1; // of a path
const EINVAL = -22;
const EAFNOSUPPORT = -97;

class Server extends Adopting {
  #descriptor = -1;
  #resource; // for node:async_hooks
  #path; // of a listening path, removed at the end
  #isPending = false; // a name lookup or a request to the cluster primary is pending
  #attempt = 0; // identifies the latest call of `listen`
  #handle; // as exposed to programs, created on first access
  #isReferenced = true;
  #isCounted = false;
  #connections = new Set();
  #closing = 0; // processes whose connections must end first
  #leaveCluster; // reports to the cluster primary that this server no longer listens

  constructor(options, listener) {
    super();
    if (typeof options === 'function') ({ 0: options, 1: listener } = [{}, options]);
    else if (options === undefined || options === null) options = {};
    else validateObject(options, 'options');
    if (typeof listener === 'function') this.on('connection', listener);
    if (options.keepAliveInitialDelay !== undefined)
      validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.highWaterMark !== undefined) validateNumber(options.highWaterMark, 'options.highWaterMark');
    this.allowHalfOpen = options.allowHalfOpen || false;
    this.pauseOnConnect = Boolean(options.pauseOnConnect);
    this.noDelay = Boolean(options.noDelay);
    this.keepAlive = Boolean(options.keepAlive);
    this.keepAliveInitialDelay = MathFloor((options.keepAliveInitialDelay ?? 0) / 1000);
    this.highWaterMark = options.highWaterMark;
    this.blockList = options.blockList;
    this.maxConnections = undefined;
    this._usingWorkers = false;
    this._workers = []; // lists of connections in other processes
    this.dropMaxConnection = undefined;
  }

  get listening() {
    return this.#descriptor >= 0;
  }
  get _handle() {
    if (this.#descriptor < 0) return null;
    return (this.#handle ??= new ListeningHandle(
      this.#descriptor,
      (handle) => this.#welcome(handle),
      () => {
        this.#stopListening();
        this.#isPending = true; // the server itself is still to be closed
      },
    ));
  }
  get _connections() {
    return this.#connections.size;
  }

  listen(...args) {
    const { 0: options, 1: callback } = normalizeArgs(args);
    if (this.listening) throw new codes.ERR_SERVER_ALREADY_LISTEN();
    this.#attempt++; // invalidates earlier requests that are still pending
    runtimeParts.publish?.('tracing:net.server.listen:asyncStart', { server: this, options });
    if (callback !== null) this.once('listening', callback);
    keepPlace(this);
    const backlog = backlogOf(args, options);
    const { signal } = options;
    if (signal !== undefined) {
      validateAbortSignal(signal, 'options.signal');
      if (signal.aborted) nextTick(() => this.close());
      else {
        const listening = require('web/abort').addAbortListener(signal, () => this.close());
        this.once('close', () => listening[Symbol.dispose]());
      }
    }
    if (typeof options.fd === 'number' && options.fd >= 0) return this.#listenOn(options.fd);
    const isUnsaid =
      args.length === 0 ||
      typeof args[0] === 'function' ||
      (options.port === undefined && 'port' in options) ||
      options.port === null;
    if (isUnsaid) options.port = 0;
    if (typeof options.port === 'number' || typeof options.port === 'string') {
      validatePort(options.port, 'options.port');
      if (runtimeParts.cluster !== undefined && !options.exclusive && !options.reusePort) {
        this.#share(options, Number(options.port), backlog);
        return this;
      }
      this.#listenTcp(options.host, Number(options.port), {
        backlog,
        ipv6Only: Boolean(options.ipv6Only),
        reusePort: Boolean(options.reusePort),
      });
      return this;
    }
    if (options.path && isPath(options.path)) {
      if (runtimeParts.cluster !== undefined && !options.exclusive) {
        this.#share(options, NO_PORT, backlog);
        return this;
      }
      this.#handleOpen(native.net_listenUnix(options.path, backlog, modeOf(options)), options.path, NO_PORT);
      return this;
    }
    if (!('port' in options || 'path' in options)) {
      throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
    }
    throw new codes.ERR_INVALID_ARG_VALUE('options', options);
  }

  #listenTcp(name, port, settings) {
    if (!name) {
      // All addresses, of both families if available.
      this._connectionKey = `6::::${port}`;
      let descriptor = native.net_listen('::', port, { ...settings, family: 6 });
      let address = '::';
      if (descriptor === EINVAL || descriptor === EAFNOSUPPORT) {
        descriptor = native.net_listen('0.0.0.0', port, { ...settings, family: 4 });
        address = '0.0.0.0';
        this._connectionKey = `4:0.0.0.0:${port}`;
      }
      this.#handleOpen(descriptor, address, port);
      return;
    }
    const open = (address, family) => {
      this._connectionKey = `${family}:${address}:${port}`;
      this.#handleOpen(native.net_listen(address, port, { ...settings, family }), address, port);
    };
    if (isIP(name)) {
      open(name, isIP(name));
      return;
    }
    this.#isPending = true;
    const attempt = this.#attempt;
    lookupToListen(name, (error, address, family) => {
      if (attempt !== this.#attempt) return; // closed meanwhile
      this.#isPending = false;
      if (error) this.emit('error', addPlaceOf(this, error));
      else open(address, family);
    });
  }

  /** Requests the listening socket from the cluster primary, which under round-robin sends accepted connections instead. */
  #share(options, port, backlog) {
    this.#isPending = true;
    const attempt = this.#attempt;
    const { path, host: name, ipv6Only, reusePort } = options;
    const ask = (address, family) => {
      const request = {
        address,
        said: name,
        port,
        addressType: family,
        backlog,
        ipv6Only: Boolean(ipv6Only),
        reusePort: Boolean(reusePort),
        mode: modeOf(options),
      };
      runtimeParts.cluster.share(request, {
        server: this,
        hear: (descriptor) => this.#accept([descriptor]),
        isFull: () => !this.dropMaxConnection && this.#connections.size >= (this.maxConnections ?? Infinity),
        stop: () => this.close(),
        onAnswer: (errno, descriptor, isInTurn, left) => {
          if (attempt === this.#attempt) this.#isPending = false;
          else {
            left?.();
            if (descriptor !== undefined) native.net_giveUp(descriptor);
            this._emitCloseIfDrained();
            return;
          }
          this.#leaveCluster = left;
          this.#handleOpen(errno < 0 ? errno : descriptor, address, port, isInTurn);
          if (port === NO_PORT) this.#path = undefined; // the primary removes it
        },
      });
    };
    if (port === NO_PORT) ask(path[0] === '\0' ? path : require('node/path/path').resolve(path), -1);
    else if (!name) ask('::', 6);
    else if (isIP(name)) ask(name, isIP(name));
    else {
      lookupToListen(name, (error, address, family) => {
        if (attempt !== this.#attempt) return;
        if (!error) ask(address, family);
        else {
          this.#isPending = false;
          this.emit('error', addPlaceOf(this, error));
        }
      });
    }
  }

  #listenOn(descriptor) {
    const isSocket = typeof native.net_localName(descriptor) !== 'number';
    this.#handleOpen(isSocket && native.pipes_adopt(descriptor) ? descriptor : EINVAL, null, undefined);
    return this;
  }

  /** `descriptor` is listening, or is a negative errno. */
  #handleOpen(descriptor, address, port, isGiven = false) {
    if (descriptor < 0) {
      const error = addPlaceOf(this, listenError(descriptor, address, port));
      runtimeParts.publish?.('tracing:net.server.listen:error', { server: this, error });
      nextTick(() => this.emit('error', error));
      return;
    }
    forgetPlace(this);
    this.#descriptor = descriptor;
    require('internal/active_handles').addHandle(this, () => (this.#isReferenced ? handleName(this.#descriptor) : undefined));
    if (port === NO_PORT) this.#path = address;
    if (context.isUsed) this.#resource = context.initResource({}, port === NO_PORT ? 'PIPESERVERWRAP' : 'TCPSERVERWRAP');
    const accept = (accepted) => this.#accept(accepted);
    if (!isGiven) native.net_accept(descriptor, context.isUsed ? context.exempt(accept) : accept);
    this.#count();
    const emitListening = () => {
      if (!this.listening) return;
      this.emit('listening');
      runtimeParts.publish?.('tracing:net.server.listen:asyncEnd', { server: this });
    };
    if (context.isUsed) context.withTrigger(this.#resource, () => nextTick(emitListening));
    else nextTick(emitListening);
  }

  #count() {
    const counts = this.#isReferenced && this.listening;
    if (counts === this.#isCounted) return;
    this.#isCounted = counts;
    native.pipes_reference(counts ? 1 : -1);
  }

  #accept(accepted) {
    if (typeof accepted === 'number') {
      this.emit('error', require('internal/errors/errors').errnoException(accepted, 'accept'));
      return;
    }
    const { turnOf } = require('internal/async/turns');
    // Each connection is handled in a separate turn, followed by its ticks.
    for (let index = 0; index < accepted.length; index++) turnOf(this.#resource, () => this.#handleConnection(accepted[index]));
  }

  #handleConnection(descriptor) {
    const type = this.#path === undefined ? 'TCPWRAP' : 'PIPEWRAP';
    const handle = new PipeHandle(descriptor, context.isUsed ? context.initResource({}, type) : undefined);
    if (this.#handle === undefined) this.#welcome(handle);
    else this.#handle.onconnection(0, handle);
  }
  #welcome(handle) {
    if (!this.listening) {
      handle.close();
      return;
    }
    const isFull = this.maxConnections !== undefined && this.#connections.size >= this.maxConnections;
    if (isFull || this.#isBlocked(handle.fd)) {
      const data = isFull ? require('node/net/drop_data').dropData(handle.fd) : undefined;
      handle.close();
      if (data !== undefined) this.emit('drop', data);
      return;
    }
    const socket = new Socket({
      handle,
      allowHalfOpen: this.allowHalfOpen,
      readable: true,
      writable: true,
      highWaterMark: this.highWaterMark,
    });
    if (this.noDelay) socket.setNoDelay(true);
    if (this.keepAlive) socket.setKeepAlive(true, this.keepAliveInitialDelay * 1000);
    SetAdd(this.#connections, socket);
    socket.server = this;
    ObjectDefineProperty(socket, '_server', {
      __proto__: null,
      value: this,
      writable: true,
      enumerable: false,
      configurable: true,
    });
    if (this.pauseOnConnect) socket.pause();
    this.emit('connection', socket);
    runtimeParts.publish?.('net.server.socket', { socket });
    if (!this.pauseOnConnect && !socket.destroyed) socket.read(0);
  }

  #isBlocked(descriptor) {
    if (!this.blockList) return false;
    const name = native.net_remoteName(descriptor);
    return typeof name !== 'number' && name[1] !== 'pipe' && this.blockList.check(name[0], StringToLowerCase(name[1]));
  }

  /** Removes a connection that has ended. */
  forget(socket) {
    SetDelete(this.#connections, socket);
    this._emitCloseIfDrained();
  }

  /** Removes a connection that moves to another process. */
  handOver(socket) {
    SetDelete(this.#connections, socket);
  }
  _setupWorker(list) {
    this._usingWorkers = true;
    ArrayPush(this._workers, list);
    list.once('exit', () => ArraySplice(this._workers, ArrayIndexOf(this._workers, list), 1));
  }
  /** Waits for the connections in other processes. */
  #closeWorkers() {
    const lists = [...intact(this._workers)];
    this.#closing = lists.length;
    for (const list of intact(lists)) {
      list.close(() => {
        this.#closing--;
        this._emitCloseIfDrained();
      });
    }
  }

  _emitCloseIfDrained() {
    if (this.listening || this.#isPending || this.#connections.size > 0 || this.#closing > 0) return;
    nextTick(() => {
      if (!this.listening) this.emit('close');
    });
  }

  #stopListening() {
    setImmediate(() => {}); // as in Node, the loop turns once more for a closed handle
    native.net_giveUp(this.#descriptor);
    this.#descriptor = -1;
    require('internal/active_handles').removeHandle(this);
    this.#handle = undefined;
    if (this.#resource !== undefined) context.endResource(this.#resource);
    this.#leaveCluster?.();
    this.#leaveCluster = undefined;
    this.#count();
    if (this.#path !== undefined) removePath(this.#path);
    this.#path = undefined;
  }

  close(callback) {
    const isRunning = this.listening || this.#isPending;
    if (typeof callback === 'function') {
      this.once('close', isRunning ? callback : () => callback(new codes.ERR_SERVER_NOT_RUNNING()));
    }
    this.#isPending = false;
    this.#attempt++;
    if (this.listening) this.#stopListening();
    if (isRunning && this._usingWorkers) this.#closeWorkers();
    this._emitCloseIfDrained();
    return this;
  }

  [SymbolFor('nodejs.rejection')](error, event, ...args) {
    if (event === 'connection') args[0].destroy(error);
    else this.emit('error', error);
  }

  async [Symbol.asyncDispose]() {
    if (!this.listening) return;
    await new Promise((resolve, reject) => void this.close((error) => (error ? reject(error) : resolve())));
  }

  address() {
    if (!this.listening) return null;
    const name = { address: undefined, family: undefined, port: undefined };
    const failed = this._handle.getsockname(name);
    if (failed) throw require('internal/errors/errors').errnoException(failed, 'address');
    return name.family === 'pipe' ? this.#path : name;
  }
  getConnections(callback) {
    if (this._usingWorkers) require('node/child_process/socket_lists').countAll(this._workers, this.#connections.size, callback);
    else nextTick(callback, null, this.#connections.size);
    return this;
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
}

/** The class, callable without `new`. */
const callable = function Server(options, listener) {
  if (new.target === undefined && this instanceof callable) adopt(this);
  return ReflectConstruct(Class, [options, listener], new.target ?? callable);
};
const Class = Server;
ObjectSetPrototypeOf(callable, Class);
callable.prototype = Class.prototype;
Class.prototype.constructor = callable;

module.exports = { Server: callable };
