// @ts-check
'use strict';
// Owns: Request: its constructor, with Node's checks, and requests that a server received, whose parts are created on first
// access.

const { AnyIncludes } = require('internal/any_kind');
const {
  ArrayFilter,
  ArrayJoin,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  RegExpTest,
  StringToUpperCase,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { Headers, makeRaw, requireArguments } = require('web/fetch/headers');
const { Body, extract, addReaders, READERS } = require('web/fetch/body');
const { registerUncloneable } = require('internal/cloneable');
const { guardReceivers, illegalInvocation } = require('internal/receivers');
const { makeEnumerable } = require('web/event_target');
const { consoleForm } = require('internal/inspect/rt_forms');

const custom = SymbolFor('nodejs.util.inspect.custom');
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const COMMON = /^(?:delete|get|head|options|post|put|patch)$/i;
const FORBIDDEN = /^(?:connect|trace|track)$/i;
const MODES = ['navigate', 'same-origin', 'no-cors', 'cors'];
const CREDENTIALS = ['omit', 'same-origin', 'include'];
const CACHES = ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'];
const REDIRECTS = ['follow', 'manual', 'error'];
const POLICIES = [
  '',
  'no-referrer',
  'no-referrer-when-downgrade',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
];

const oneOf = (value, allowed) => {
  const text = `${value}`;
  if (!AnyIncludes(allowed, text))
    throw new TypeError(
      `Request constructor: ${text} is not an accepted type. Expected one of ${ArrayJoin(
        ArrayFilter(allowed, (each) => each),
        ', ',
      )}.`,
    );
  return text;
};

let partsOf;
let make;
let originOf;

class Request {
  #method = 'GET';
  #url; // a string
  #parsed; // the URL, if the constructor has parsed it; not changed afterwards
  // creates url() and signal() on demand: the exchange of a server's request; for a clone, signal() and what `dress` adds
  #origin;
  #headers;

  static {
    registerUncloneable((value) => #method in value);
  }
  /** @type {string | null} */
  #implied = null; // the body's type, until it is added to the headers
  #body;
  #signal;
  #options = PLAIN;
  #extra; // rt's extra options of fetch: proxy, unix, tls, verbose, …

  /** @param {any} input @param {any} [init] */
  constructor(input, init = undefined) {
    if (input === MADE) return;
    requireArguments(1, arguments.length, 'Request constructor');
    if (init !== undefined && init !== null && typeof init !== 'object' && typeof init !== 'function')
      throw new TypeError(`Request constructor: Expected init ("${String(init)}") to be one of: Null, Undefined, Object.`);
    init ??= NOTHING;
    if (namesUrl(input)) [input, init] = intact([input.url, { ...input, ...init }]);
    const other = typeof input === 'object' && input !== null && #method in input ? input : undefined;
    if (other !== undefined) {
      this.#url = other.url;
      this.#method = other.#method;
      this.#options = { ...other.#options };
      this.#extra = other.#extra;
    } else {
      this.#parsed = parseUrl(input);
      this.#url = this.#parsed.href;
      if (init === NOTHING) {
        this.#body = new Body();
        return;
      }
      this.#options = { ...PLAIN };
    }
    this.#take(init);
    if (init.method !== undefined) this.#method = checkedMethod(init.method);
    this.#headers =
      init.headers !== undefined && init.headers !== null
        ? new Headers(init.headers)
        : other === undefined
          ? undefined
          : new Headers(other.headers);
    const signal = init.signal === undefined ? other?.signal : init.signal;
    if (signal !== undefined && signal !== null) {
      const { AbortSignal } = require('web/abort');
      if (!(signal instanceof AbortSignal))
        throw new TypeError(`RequestInit: Expected signal ("${String(signal)}") to be an instance of AbortSignal.`);
      this.#signal = AbortSignal.any([signal]);
    }
    this.#takeBody(init, other);
  }

  #take(init) {
    const options = this.#options;
    if (init.window !== undefined && init.window !== null) throw new TypeError(`'window' option '${init.window}' must be null`);
    if (init.referrer !== undefined) options.referrer = checkedReferrer(`${init.referrer}`);
    if (init.referrerPolicy !== undefined) options.referrerPolicy = oneOf(init.referrerPolicy, POLICIES);
    if (init.mode !== undefined) {
      options.mode = oneOf(init.mode, MODES);
      if (options.mode === 'navigate') throw new TypeError('Request constructor: invalid request mode navigate.');
    }
    if (init.credentials !== undefined) options.credentials = oneOf(init.credentials, CREDENTIALS);
    if (init.cache !== undefined) options.cache = oneOf(init.cache, CACHES);
    if (options.cache === 'only-if-cached' && options.mode !== 'same-origin')
      throw new TypeError("'only-if-cached' can be set only with 'same-origin' mode");
    if (init.redirect !== undefined) options.redirect = oneOf(init.redirect, REDIRECTS);
    if (init.integrity !== undefined && init.integrity !== null) options.integrity = `${init.integrity}`;
    if (init.keepalive !== undefined) options.keepalive = Boolean(init.keepalive);
    if (init.duplex !== undefined && `${init.duplex}` !== 'half') oneOf(init.duplex, ['half']);
    for (let index = 0; index < EXTRA.length; index++) {
      const name = EXTRA[index];
      if (init[name] !== undefined) this.#extra = { ...this.#extra, [name]: init[name] };
    }
  }

  /** Takes the body of `init`, otherwise that of `other`. The body of a request is copied and remains readable, as in Bun. */
  #takeBody(init, other) {
    const isRequest = #method in init;
    const initBody = isRequest ? undefined : init.body;
    const from = isRequest ? init : initBody === undefined ? other : undefined;
    const source = from !== undefined && !from.#body.isNull ? from : undefined;
    if ((source ?? initBody ?? null) !== null && (this.#method === 'GET' || this.#method === 'HEAD'))
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    if (source !== undefined) {
      if (source.#body.isDisturbed || source.#body.isLocked)
        throw new TypeError('Cannot construct a Request with a Request object that has already been used.');
      this.#body = source.#body.clone();
    } else if (initBody !== undefined && initBody !== null) {
      const { body, type } = extract(initBody);
      this.#body = body;
      if (!this.#headers?.has('content-type')) this.#implied = type;
    } else {
      this.#body = new Body();
    }
  }

  get method() {
    return this.#method;
  }
  get url() {
    return (this.#url ??= this.#origin.url());
  }
  get headers() {
    this.#headers ??= new Headers();
    if (this.#implied !== null) this.#headers.append('content-type', this.#implied);
    this.#implied = null;
    return this.#headers;
  }
  get destination() {
    return '';
  }
  get referrer() {
    return this.#options.referrer;
  }
  get referrerPolicy() {
    return this.#options.referrerPolicy;
  }
  get mode() {
    return this.#options.mode;
  }
  get credentials() {
    return this.#options.credentials;
  }
  get cache() {
    return this.#options.cache;
  }
  get redirect() {
    return this.#options.redirect;
  }
  get integrity() {
    return this.#options.integrity;
  }
  get keepalive() {
    return this.#options.keepalive;
  }
  get isReloadNavigation() {
    return false;
  }
  get isHistoryNavigation() {
    return false;
  }
  get signal() {
    return (this.#signal ??=
      this.#origin === undefined ? new (require('web/abort').AbortController)().signal : this.#origin.signal());
  }
  get body() {
    return this.#body.asStream();
  }
  get bodyUsed() {
    return this.#body.isDisturbed;
  }
  get duplex() {
    return 'half';
  }

  clone() {
    if (this.#body.isDisturbed || this.#body.isLocked) throw new TypeError('unusable');
    const copy = new Request(MADE);
    copy.#method = this.#method;
    copy.#url = this.url;
    copy.#headers = new Headers(this.headers);
    copy.#body = this.#body.clone();
    copy.#options = this.#options;
    copy.#extra = this.#extra;
    const origin = this.#origin;
    const dress = (request) => origin?.dress?.(request);
    copy.#origin = { signal: () => require('web/abort').AbortSignal.any([this.signal]), dress };
    dress(copy);
    return copy;
  }

  [custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Request]', 'special');
    const fields = {};
    for (const name of intact(SHOWN)) fields[name] = this[name];
    return `Request ${require('internal/inspect/inspect').inspect(fields, { ...options, depth: options.depth ?? 2 })}`;
  }
  [consoleForm](printer) {
    require('web/fetch/console_forms').request(printer, this, partsOf(this));
  }

  static {
    partsOf = (request) => ({
      method: request.#method,
      url: request.#parsed,
      headers: request.#headers,
      implied: request.#implied,
      body: request.#body,
      options: request.#options,
      extra: request.#extra,
      signal: request.#signal,
    });
    originOf = (request) => (typeof request === 'object' && request !== null && #origin in request ? request.#origin : undefined);
    /** Creates a request that a server received. */
    make = (method, origin, rawHeaders, body) => {
      const request = new Request(MADE);
      request.#method = method;
      request.#origin = origin;
      request.#headers = makeRaw(rawHeaders);
      request.#body = body;
      return request;
    };
    addReaders(
      Request,
      (request) => request.#body,
      (request) => request.headers.get('content-type'),
    );
  }
}
const MADE = Symbol('made by rt');
const NOTHING = { __proto__: ObjectPrototype };
const EXTRA = [
  'proxy',
  'protocol',
  'unix',
  'tls',
  'verbose',
  'decompress',
  'timeout',
  's3',
  'dispatcher',
  'keepalive',
  'maxRedirects',
];
const PLAIN = {
  __proto__: null,
  referrer: 'about:client',
  referrerPolicy: '',
  mode: 'cors',
  credentials: 'same-origin',
  cache: 'default',
  redirect: 'follow',
  integrity: '',
  keepalive: false,
};
const SHOWN = [
  'method',
  'url',
  'headers',
  'destination',
  'referrer',
  'referrerPolicy',
  'mode',
  'credentials',
  'cache',
  'redirect',
  'integrity',
  'keepalive',
  'isReloadNavigation',
  'isHistoryNavigation',
  'signal',
];

/** Returns whether `input` is a plain object with a `url`, which Bun accepts as input and init in one. */
const namesUrl = (input) =>
  typeof input === 'object' &&
  input !== null &&
  (ObjectGetPrototypeOf(input) === ObjectPrototype || ObjectGetPrototypeOf(input) === null) &&
  typeof input.url === 'string';

function parseUrl(input) {
  const text = `${input}`;
  const { URL } = require('web/url/class');
  try {
    return new URL(text);
  } catch (cause) {
    const error = new TypeError(`Failed to parse URL from ${text}`, { cause });
    ObjectDefineProperty(error, 'code', {
      __proto__: null,
      value: 'ERR_INVALID_URL',
      writable: true,
      enumerable: false,
      configurable: true,
    });
    throw error;
  }
}

function checkedReferrer(text) {
  if (text === '') return '';
  const { URL } = require('web/url/class');
  if (!URL.canParse(text)) throw new TypeError(`Referrer "${text}" is not a valid URL.`);
  return text === 'about:client' ? text : new URL(text).href;
}

function checkedMethod(value) {
  const method = `${value}`;
  if (!RegExpTest(TOKEN, method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  if (RegExpTest(FORBIDDEN, method)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  return RegExpTest(COMMON, method) ? StringToUpperCase(method) : method;
}

guardReceivers(Request, illegalInvocation, READERS);
makeEnumerable(Request, 'Request');

module.exports = { Request, partsOf, make, originOf };
