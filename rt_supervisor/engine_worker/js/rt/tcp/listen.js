'use strict';
// Owns: RT.listen: a listener and its connections. It listens when the call returns, because the system call is synchronous.

const { intact } = require('internal/primordials');
const native = host.native;
const { checkOptions, nodeOptions } = require('rt/tcp/options');
const { makeSocket, open } = require('rt/tcp/socket');

const BACKLOG = 511;
const EINVAL = -22;
const EADDRNOTAVAIL = -99;

class Listener {
  #server;
  #handlers;
  #sockets = new Set();
  #port;

  constructor(server, { handlers, data, hostname, unix }) {
    this.#server = server;
    this.#handlers = handlers;
    this.data = data;
    this.hostname = hostname;
    this.unix = unix;
    this.#port = unix === undefined ? server.address()?.port : undefined;
  }

  get port() {
    return this.#port;
  }
  get fd() {
    return this.#server._handle?.fd ?? -1;
  }
  /** Writes the address into `into`. */
  getsockname(into) {
    Object.assign(into, this.#server.address());
  }

  static welcome(listener, connection, isSecure) {
    connection.isServerSide = true;
    const { data } = listener;
    const socket = makeSocket(connection, { handlers: listener.#handlers, data, listener, isSecure });
    listener.#sockets.add(connection);
    connection.once('close', () => listener.#sockets.delete(connection));
    open(socket);
  }

  reload(options) {
    if (typeof options !== 'object' || options === null) throw new Error('Expected options object');
    if (options.socket === undefined) throw new Error('Expected "socket" object');
    this.#handlers.replace(options.socket);
  }
  stop(closesAll = false) {
    const isOpen = this.#server.listening;
    this.#server.close();
    if (isOpen && this.unix !== undefined && this.unix[0] !== '\0') require('node/fs/fs').rmSync(this.unix, { force: true });
    if (closesAll) for (const each of intact(this.#sockets)) each.destroy();
  }
  ref() {
    this.#server.ref();
  }
  unref() {
    this.#server.unref();
  }
  [Symbol.dispose]() {
    this.stop(true);
  }
}

/** Called for a new connection. */
const { welcome } = Listener;
delete Listener.welcome;

function failure(errno, { hostname, unix, place }) {
  const { getSystemErrorName } = require('internal/errors/errno');
  const address = unix ?? hostname ?? '';
  const failure = new Error(`Failed to listen at ${address}`);
  Object.assign(failure, { code: getSystemErrorName(errno), errno: -errno, syscall: 'listen', address });
  return place.port ? Object.assign(failure, { port: place.port }) : failure;
}

/** Returns the descriptor of a listening socket, or a negative errno. */
function descriptorOf({ place, reusePort, ipv6Only }) {
  if (place.fd !== undefined) return native.pipes_adopt(place.fd) ? place.fd : EINVAL;
  if (place.path !== undefined) return native.net_listenUnix(place.path, BACKLOG, 0);
  const { isIP } = require('node/net/address');
  const address = place.host === 'localhost' ? '127.0.0.1' : place.host;
  const family = isIP(address);
  if (family === 0) return EADDRNOTAVAIL;
  const settings = { backlog: BACKLOG, ipv6Only: Boolean(ipv6Only), reusePort: Boolean(reusePort), family };
  return native.net_listen(address, place.port, settings);
}

const welcomePlain = (listener, connection) => welcome(listener, connection, false);

/** Throws for an invalid certificate or key. */
function welcomeSecure(options) {
  const { TLSSocket, createSecureContext } = require('node/tls/tls');
  const secureContext = createSecureContext(options);
  return (listener, connection, server) => {
    const secure = new TLSSocket(connection, { ...options, isServer: true, secureContext, server });
    welcome(listener, secure, true);
  };
}

function listen(options) {
  const settings = checkOptions(options, 'Expected object');
  const { tls, allowHalfOpen } = settings;
  const welcomes = tls === undefined ? welcomePlain : welcomeSecure(nodeOptions(tls));
  const descriptor = descriptorOf(settings);
  if (descriptor < 0) throw failure(descriptor, settings);
  const server = require('node/net/net').createServer({ allowHalfOpen, noDelay: true });
  server.listen({ fd: descriptor });
  const listener = new Listener(server, settings);
  server.on('connection', (connection) => welcomes(listener, connection, server));
  return listener;
}

module.exports = { listen };
