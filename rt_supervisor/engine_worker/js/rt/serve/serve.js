'use strict';
// Owns: RT.serve: `RunningServer` listens, creates connections and serves their calls; `Server` is the object that the program
// gets.
//
// listening --stop()--> stopping (no new connections) --last one closed--> stopped

const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const {
  ArrayPush,
  ArraySort,
  FunctionCall,
  MapGet,
  MathMax,
  MathTrunc,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  RegExpReplace,
  StringIncludes,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { NativeSource } = require('rt/serve/native_source');
const { Connection } = require('rt/serve/connection');
const { handlers, idleOf, portOf, wantsTls } = require('rt/serve/options');
const { wrongType } = require('internal/errors/errors');
const { originOf } = require('web/fetch/request');
const { Response, addUrl } = require('web/fetch/response');
const { Headers, listOf } = require('web/fetch/headers');
const { setInterval, clearInterval } = require('internal/timers');
const { consoleForm } = require('internal/inspect/rt_forms');

const native = host.native;
const USUAL_BODY_BYTES = 128 * 1024 * 1024;
const SWEEP_MS = 1000;

class RunningServer {
  pending = 0;
  isStopping = false;
  scheme = 'http';
  maxBodySize = USUAL_BODY_BYTES;
  topics = new Map(); // of web sockets: topic -> sockets
  #isReferenced = true;
  #isCounted = false;
  #timer;
  #whenStopped = [];
  #idleMs;

  constructor(object, options) {
    this.object = object;
    ObjectAssign(this, handlers(options));
    this.isDevelopment =
      options.development === undefined
        ? runtimeParts.process.process.env.NODE_ENV !== 'production'
        : Boolean(options.development);
    this.id = options.id === undefined ? '' : `${options.id}`;
    if (options.maxRequestBodySize !== undefined && options.maxRequestBodySize !== null) {
      const size = Number(options.maxRequestBodySize);
      if (size >= 0) this.maxBodySize = size;
    }
    this.#idleMs = idleOf(options) * 1000;
    this.#listen(options);
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS).unref();
    this.#count();
  }

  #listen(options) {
    const acceptor = this.#acceptorOf(options);
    try {
      this.#listenWith(acceptor, options);
    } catch (error) {
      acceptor?.free();
      throw error;
    }
  }
  #listenWith(acceptor, options) {
    const { unix } = options;
    const common = { acceptor, idleMs: this.#idleMs, headLimit: startValues.maxHeaderSize ?? 16 * 1024 };
    const make = (number, source = this.source) => new Connection(this, source, number);
    if (unix !== undefined && unix !== null && `${unix}` !== '') {
      if (`${options.hostname ?? ''}` !== '') throw wrongType('Cannot specify both hostname and unix');
      this.unix = `${unix}`;
      this.port = undefined;
      this.hostname = undefined;
      this.authority = 'localhost';
      try {
        this.source = this.#open({ address: this.unix, port: -1, ...common }, make);
      } catch (error) {
        throw error.errno === undefined ? error : pathError(error.errno, this.unix);
      }
      return;
    }
    const port = portOf(options);
    const hostname = `${options.hostname ?? ''}`;
    const name = hostname === '' ? undefined : hostname;
    this.hostname = name ?? 'localhost';
    let failure;
    for (const address of intact(addressesOf(name))) {
      try {
        this.source = this.#open(
          { address, port, reusePort: Boolean(options.reusePort), ipv6Only: Boolean(options.ipv6Only), ...common },
          make,
        );
        this.address = address;
        failure = undefined;
        break;
      } catch (error) {
        if (error.errno === undefined) throw error;
        failure = error;
        if (error.errno !== EAFNOSUPPORT && error.errno !== EADDRNOTAVAIL) break;
      }
    }
    if (failure !== undefined) throw startError(failure.errno, port, name);
    this.port = this.source.port;
    const host = StringIncludes(this.hostname, ':')
      ? `[${RegExpReplace(/^\[|\]$/g, this.hostname, '')}]`
      : this.hostname === '0.0.0.0' || this.hostname === '::'
        ? 'localhost'
        : this.hostname;
    this.authority = `${host}:${this.port}`;
  }

  #acceptorOf({ tls, http2 }) {
    if (!wantsTls(tls)) return undefined;
    this.scheme = 'https';
    return require('rt/serve/tls_options').acceptorOf(tls, http2);
  }
  #open({ acceptor, idleMs, ...place }, make) {
    if (acceptor === undefined) return new NativeSource(place, make);
    const { TlsSource } = require('rt/serve/tls_source');
    return new TlsSource({ ...place, acceptor, idleMs }, make);
  }

  get idleMs() {
    return this.#idleMs;
  }
  get isReferenced() {
    return this.#isReferenced;
  }

  #count() {
    const counts = this.#isReferenced && !this.source.isClosed;
    if (counts === this.#isCounted) return;
    this.#isCounted = counts;
    native.pipes_reference(counts ? 1 : -1);
  }
  reference(isReferenced) {
    this.#isReferenced = isReferenced;
    this.#count();
  }

  #sweep() {
    const late = this.source.sweep(this.#idleMs);
    for (let i = 0; i < late.length; i += 2) {
      const connection = this.source.connection(late[i]);
      if (connection === undefined) this.source.release(late[i]);
      else if (late[i + 1] === 1) connection.refuse(408);
      else if (connection.webSocket === undefined) connection.destroy();
    }
    this.webSockets?.sweep(this.source);
  }

  connectionClosed() {
    this.#settle();
  }

  #settle() {
    if (!this.isStopping || this.source.count > 0) return;
    this.source.close();
    clearInterval(this.#timer);
    this.#count();
    const waiting = this.#whenStopped;
    this.#whenStopped = [];
    for (const resolve of intact(waiting)) resolve();
  }

  stop(isAbrupt) {
    if (!this.isStopping) {
      this.isStopping = true;
      this.source.stop();
      if (this.unix !== undefined && !StringStartsWith(this.unix, '\0')) removePath(this.unix);
    }
    for (const connection of intact([...intact(this.source.connections())])) {
      if (isAbrupt) {
        if (connection.webSocket !== undefined) connection.webSocket.handleServerStop();
        else connection.destroy();
      } else if (connection.isAnswered) {
        connection.finish();
      }
    }
    const completion = new Promise((resolve) => {
      ArrayPush(this.#whenStopped, resolve);
    });
    this.#settle();
    return completion;
  }

  reload(options) {
    const { handler, onError, routes, webSockets } = handlers({ fetch: this.handler, ...options });
    this.handler = handler;
    if (options.error !== undefined) this.onError = onError;
    this.routes = routes;
    if (options.development !== undefined) this.isDevelopment = Boolean(options.development);
    if (webSockets !== undefined) this.webSockets = webSockets;
  }
}

const EAFNOSUPPORT = -97;
const EADDRNOTAVAIL = -99;

function addressesOf(name) {
  if (name === undefined) return ['::', '0.0.0.0'];
  const bare = RegExpReplace(/^\[|\]$/g, name, '');
  const { isIP } = require('node/net/address');
  if (isIP(bare) !== 0) return [bare];
  if (bare === 'localhost') return ['127.0.0.1', '::1'];
  return [bare];
}

function startError(errno, port, name) {
  const { getSystemErrorName, getSystemErrorMessage } = require('internal/errors/errno');
  const code = getSystemErrorName(errno);
  const message =
    code === 'EADDRINUSE'
      ? `Failed to start server. Is port ${port} in use?`
      : `Failed to listen at ${name ?? '0.0.0.0'}:${port}: ${getSystemErrorMessage(errno)}`;
  return ObjectAssign(new Error(message), { code, errno, syscall: 'listen' });
}

function pathError(errno, path) {
  const { getSystemErrorName, getSystemErrorMessage } = require('internal/errors/errno');
  const code = getSystemErrorName(errno);
  const error = new Error(`${code}: ${getSystemErrorMessage(errno)}, listen '${path}'`);
  return ObjectAssign(error, { code, errno, syscall: 'listen', path });
}

/** Returns the URL of a Unix socket, by its path or by its abstract name, which begins with a zero byte. */
const placeOf = (unix) => (unix.length > 1 && unix[0] === '\0' ? `abstract://${StringSlice(unix, 1)}/` : `unix://${unix}`);

function removePath(path) {
  try {
    require('node/fs/sync').unlinkSync(path);
  } catch {
    return; // already removed
  }
}

function ownRequest(input) {
  if (!(input instanceof require('web/fetch/request').Request)) throw wrongType('Expected a Request object');
  return input;
}

class Server {
  #running;
  #url;

  /** With --hot, a repeated call returns the same object with the same sockets. */
  constructor(options) {
    const make = () => {
      this.#running = new RunningServer(this, options);
      return this.#running;
    };
    const running = startValues.isHot ? require('rt/serve/hot_servers').reuseOrMake(options, make) : make();
    return running.object;
  }

  get address() {
    const { unix, address, port } = this.#running;
    if (unix !== undefined) return unix;
    return { address, family: StringIncludes(address, ':') ? 'IPv6' : 'IPv4', port };
  }
  get development() {
    return this.#running.isDevelopment;
  }
  get hostname() {
    return this.#running.hostname;
  }
  get id() {
    return this.#running.id;
  }
  get pendingRequests() {
    return this.#running.pending;
  }
  get pendingWebSockets() {
    return this.#running.webSockets?.count ?? 0;
  }
  get port() {
    return this.#running.port;
  }
  get protocol() {
    return this.#running.scheme;
  }
  get url() {
    const { URL } = require('web/url/class');
    const { unix, scheme, authority } = this.#running;
    return (this.#url ??= new URL(unix === undefined ? `${scheme}://${authority}/` : placeOf(unix)));
  }

  closeIdleConnections() {
    for (const connection of intact([...intact(this.#running.source.connections())])) if (connection.isIdle) connection.destroy();
  }

  /** Handles a request as if it had arrived over the network. */
  async fetch(input, init) {
    const { Request } = require('web/fetch/request');
    const { URL } = require('web/url/class');
    if (input === '') throw wrongType('fetch() URL must not be a blank string');
    if (typeof input !== 'string' && (typeof input !== 'object' || input === null))
      throw wrongType('fetch() expects a string, a URL or a Request');
    const request =
      input instanceof Request && init === undefined
        ? input
        : new Request(typeof input === 'string' && !URL.canParse(input) ? new URL(input, this.url) : input, init);
    const { handler, routes } = this.#running;
    const route = routes?.find(new URL(request.url).pathname, request.method);
    if (route !== undefined && route.handler instanceof Response) return addUrl(route.handler.clone(), request.url);
    const selected = typeof route?.handler === 'function' ? route.handler : handler;
    if (selected === undefined) return new Response(null, { status: 404 });
    if (route !== undefined) request.params = route.params;
    const response = await FunctionCall(selected, this, request, this);
    return response instanceof Response ? addUrl(response, request.url) : response;
  }

  publish(topic, data, compress) {
    return require('rt/serve/web_sockets').publish(this.#running, topic, data, compress);
  }
  subscriberCount(topic) {
    if (topic === undefined || topic === null) throw wrongType('subscriberCount requires a topic name as a string');
    return MapGet(this.#running.topics, `${topic}`)?.size ?? 0;
  }
  ref() {
    this.#running.reference(true);
    return this;
  }
  unref() {
    this.#running.reference(false);
    return this;
  }
  reload(options) {
    if (typeof options !== 'object' || options === null) throw wrongType('Expected options to be an object');
    this.#running.reload(options);
    return this;
  }
  requestIP(request) {
    const exchange = originOf(ownRequest(request));
    if (exchange?.connection === undefined || exchange.connection.isGone) return null;
    return exchange.connection.source.peer(exchange.connection.number) ?? null;
  }
  stop(closeActiveConnections = false) {
    return this.#running.stop(Boolean(closeActiveConnections));
  }
  timeout(request, seconds) {
    const exchange = originOf(ownRequest(request));
    if (exchange?.connection !== undefined && !exchange.connection.isGone)
      exchange.connection.source.setIdleLimit(exchange.connection.number, MathMax(0, MathTrunc(Number(seconds) || 0)) * 1000);
  }
  upgrade(request, options = undefined) {
    const running = this.#running;
    if (running.webSockets === undefined)
      throw wrongType('To enable websocket support, set the "websocket" object in RT.serve({})');
    const exchange = originOf(request);
    if (exchange?.connection === undefined) {
      const { Request } = require('web/fetch/request');
      if (request instanceof Request) return false; // created by the program: there is no connection to upgrade
      throw wrongType('upgrade requires a Request object');
    }
    const headers = options?.headers === undefined || options.headers === null ? undefined : new Headers(options.headers);
    return require('rt/serve/web_socket_upgrade').upgrade(
      running,
      exchange,
      headers === undefined ? undefined : listOf(headers),
      options?.data,
    );
  }

  async [Symbol.asyncDispose]() {
    await this.stop(true);
  }
  [Symbol.dispose]() {
    this.stop(true);
  }

  [consoleForm](printer) {
    const fields = {};
    for (const name of intact(ArraySort(ObjectGetOwnPropertyNames(Server.prototype))))
      if (name !== 'constructor') fields[name] = this[name];
    printer.object(fields, this.#running.isDevelopment ? 'DebugHTTPServer' : 'HTTPServer');
  }
}
for (const name of intact(ObjectGetOwnPropertyNames(Server.prototype)))
  if (name !== 'constructor') ObjectDefineProperty(Server.prototype, name, { __proto__: null, enumerable: true });

function serve(options) {
  if ((typeof options !== 'object' && typeof options !== 'function') || options === null)
    throw wrongType('RT.serve expects an object');
  return new Server(options);
}

module.exports = { serve, Server };
