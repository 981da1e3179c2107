// @ts-check
'use strict';
// Owns: Response. Its headers are created on first access: a server that answers with a string does not pay for them.

const { setOf } = require('internal/collections');
const {
  ArrayIsArray,
  JSONStringify,
  ObjectDefineProperty,
  RegExpTest,
  SetHas,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { Headers, makeRaw, freeze, requireArguments } = require('web/fetch/headers');
const { Body, extract, addReaders, READERS } = require('web/fetch/body');
const { registerUncloneable } = require('internal/cloneable');
const { guardReceivers, illegalInvocation } = require('internal/receivers');
const { makeEnumerable } = require('web/event_target');
const { consoleForm } = require('internal/inspect/rt_forms');

const custom = SymbolFor('nodejs.util.inspect.custom');
const REASON = /^[\t\x20-\x7e\x80-\xff]*$/;
const WITHOUT_BODY = setOf([101, 204, 205, 304]);
const REDIRECTS = setOf([301, 302, 303, 307, 308]);

let partsOf;
let make;
let addUrl;

class Response {
  #status = 200;
  #reason = '';
  #headers; // undefined until the first access
  /** @type {string | null} */
  #implied = null; // the body's type, until it is added to the headers
  #body;
  #url = '';
  #type = 'default';
  #isRedirected = false;

  /** @param {any} [body] @param {any} [init] */
  constructor(body = null, init = undefined) {
    if (body === MADE) {
      this.#body = init;
      return;
    }
    if (init !== undefined && init !== null) {
      if (typeof init !== 'object' && typeof init !== 'function')
        throw new TypeError(`Response constructor: Expected init ("${String(init)}") to be one of: Null, Undefined, Object.`);
      const { status, statusText, headers } = init;
      if (status !== undefined) this.#status = checkedStatus(status);
      if (statusText !== undefined) {
        this.#reason = `${statusText}`;
        if (!RegExpTest(REASON, this.#reason)) throw new TypeError('Invalid statusText');
      }
      if (headers !== undefined && headers !== null) this.#headers = new Headers(headers);
    }
    const extracted = extract(body);
    this.#body = extracted.body;
    if (body !== null && body !== undefined) {
      if (SetHas(WITHOUT_BODY, this.#status))
        throw new TypeError(`Response constructor: Invalid response status code ${this.#status}`);
      if (!this.#headers?.has('content-type')) this.#implied = extracted.type;
    }
  }

  static error() {
    const response = new Response(MADE, new Body());
    response.#type = 'error';
    response.#status = 0;
    freeze(response.headers);
    return response;
  }

  /** @param {any} data @param {any} [init] */
  static json(data, init = undefined) {
    requireArguments(1, arguments.length, 'Response.json');
    const text = typeof data === 'symbol' ? undefined : JSONStringify(data);
    if (text === undefined) throw new TypeError('Value is not JSON serializable');
    const response = new Response(null, typeof init === 'number' ? { status: init } : init);
    if (SetHas(WITHOUT_BODY, response.#status))
      throw new TypeError(`Response constructor: Invalid response status code ${response.#status}`);
    response.#body.source = text;
    if (!response.#headers?.has('content-type')) response.#implied = 'application/json';
    return response;
  }

  /** Creates a redirect; unlike in a browser, the URL may be relative to that of the request. */
  static redirect(url, status = 302) {
    requireArguments(1, arguments.length, 'Response.redirect');
    const init = typeof status === 'object' && status !== null ? status : { status };
    const code = Number(init.status ?? 302);
    const place = `${url}`;
    const { URL } = require('web/url/class');
    const target = URL.canParse(place) ? new URL(place).href : place;
    if (target === place && RegExpTest(/[\0-\x20\x7f-\uffff]/, place)) throw new TypeError(`Failed to parse URL from ${place}`);
    if (!SetHas(REDIRECTS, code)) throw new RangeError(`Invalid status code ${code}`);
    const response = new Response(null, { ...init, status: code });
    response.headers.set('location', isPlain(place) ? place : target);
    return response;
  }

  get type() {
    return this.#type;
  }
  get url() {
    return this.#url;
  }
  get redirected() {
    return this.#isRedirected;
  }
  get status() {
    return this.#status;
  }
  get ok() {
    return this.#status >= 200 && this.#status <= 299;
  }
  get statusText() {
    return this.#reason;
  }
  get headers() {
    this.#headers ??= new Headers();
    if (this.#implied !== null) this.#headers.append('content-type', this.#implied);
    this.#implied = null;
    return this.#headers;
  }
  get body() {
    return this.#body.asStream();
  }
  get bodyUsed() {
    return this.#body.isDisturbed;
  }

  clone() {
    if (this.#body.isDisturbed || this.#body.isLocked) throw new TypeError('Response.clone: Body has already been consumed.');
    const copy = new Response(MADE, this.#body.clone());
    copy.#status = this.#status;
    copy.#reason = this.#reason;
    copy.#headers = this.#headers === undefined ? undefined : new Headers(this.#headers);
    copy.#implied = this.#implied;
    copy.#url = this.#url;
    copy.#type = this.#type;
    copy.#isRedirected = this.#isRedirected;
    return copy;
  }

  [custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Response]', 'special');
    const { status, statusText, headers, body, bodyUsed, ok, redirected, type, url } = this;
    const fields = { status, statusText, headers, body, bodyUsed, ok, redirected, type, url };
    return `Response ${require('internal/inspect/inspect').inspect(fields, { ...options, depth: options.depth ?? 2 })}`;
  }
  [consoleForm](printer) {
    require('web/fetch/console_forms').response(printer, this, partsOf(this));
  }

  static {
    registerUncloneable((value) => #status in value);
    /** Returns what a server or a printer needs, without creating any object. */
    partsOf = (response) => ({
      status: response.#status,
      reason: response.#reason,
      headers: response.#headers,
      implied: response.#implied,
      body: response.#body,
    });
    /** Creates a response that came over the network. */
    make = ({ status, reason, rawHeaders, body, url, isRedirected, type = 'default' }) => {
      const response = new Response(MADE, body);
      response.#status = status;
      response.#reason = reason;
      response.#headers = ArrayIsArray(rawHeaders) ? makeRaw(rawHeaders) : new Headers(rawHeaders);
      response.#url = url;
      response.#isRedirected = isRedirected;
      response.#type = type;
      return response;
    };
    /** Sets the URL of a response that a program constructed. */
    addUrl = (response, url) => {
      if (response.#url === '') response.#url = url;
      return response;
    };
    addReaders(
      Response,
      (response) => response.#body,
      (response) => response.#headers?.get('content-type') ?? response.#implied,
    );
  }
}
const MADE = Symbol('made by rt');
const isPlain = (text) => RegExpTest(/^(?:https?:\/\/[^/?#\s]+)?\/[!-~]*$/, text);

function checkedStatus(value) {
  const status = Number(value) & 0xffff;
  if (status === 101 || (status >= 200 && status <= 599)) return status;
  throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
}

guardReceivers(Response, illegalInvocation, READERS);
makeEnumerable(Response, 'Response');
for (const name of intact(['error', 'json', 'redirect']))
  ObjectDefineProperty(Response, name, { __proto__: null, enumerable: true });

module.exports = { Response, partsOf, make, addUrl, WITHOUT_BODY, REDIRECTS };
