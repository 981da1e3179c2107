// @ts-check
'use strict';
// Owns: `HTTPParser`, with the interface of Node's binding over rt's own parser, for packages that parse HTTP themselves (msw
// finds it in `_http_common`). rt's servers and clients use `internal/http_parser`. Header lines are parsed one at a time,
// because the result of `kOnHeadersComplete` decides how every later byte is parsed.

const { ArrayIndexOf, NumberIsInteger, ReflectApply, StringSplit, intact } = require('internal/primordials');
const { HttpParser, KEEP_ALIVE, WISHES_UPGRADE } = require('internal/http_parser');
const context = require('internal/async/context');
const { asBuffer } = require('node/buffer/views');

// In llhttp's order: callbacks receive the index of the method.
const methods = StringSplit(
  'DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND UNBIND ACL ' +
    'REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE MKCALENDAR LINK UNLINK SOURCE QUERY',
  ' ',
);

const REQUEST = 1;
const RESPONSE = 2;
const CALLBACKS = {
  __proto__: null,
  kOnMessageBegin: 0,
  kOnHeaders: 1,
  kOnHeadersComplete: 2,
  kOnBody: 3,
  kOnMessageComplete: 4,
  kOnExecute: 5,
  kOnTimeout: 6,
};
const LENIENT = {
  __proto__: null,
  kLenientNone: 0,
  kLenientHeaders: 1,
  kLenientChunkedLength: 2,
  kLenientKeepAlive: 4,
  kLenientTransferEncoding: 8,
  kLenientVersion: 16,
  kLenientDataAfterClose: 32,
  kLenientOptionalLFAfterCR: 64,
  kLenientOptionalCRLFAfterChunk: 128,
  kLenientOptionalCRBeforeLF: 256,
  kLenientSpacesAfterChunkSize: 512,
  kLenientHeaderValueRelaxed: 1024,
  kLenientAll: 1023,
};
// Results of `kOnHeadersComplete`.
const SKIP_BODY = 1;
const IS_UPGRADE = 2;
const LINE_FEED = 10;

/** waits (no byte of a message has arrived) --> head --> body --> waits …; upgraded and failed are final */
class Reading {
  #parser;
  #state = 'waits';
  #url = '';
  #answer = 0;
  #owner;

  constructor(owner, type, limit, isLenient, resource) {
    this.resource = resource;
    this.#owner = owner;
    this.type = type;
    this.limit = limit;
    this.isLenient = isLenient;
    this.#parser = this.#fresh();
  }

  get #isOver() {
    return this.#state === 'upgraded' || this.#state === 'failed';
  }

  #fresh() {
    return new HttpParser(this.type === RESPONSE, this.limit || undefined, this.isLenient);
  }

  #call(name, args) {
    const callback = this.#owner[CALLBACKS[name]];
    if (typeof callback !== 'function') return undefined;
    if (this.resource === undefined) return ReflectApply(callback, this.#owner, args);
    const { runIn } = require('internal/async/tracking');
    return runIn(this.resource, callback, this.#owner, args);
  }

  /** Returns the number of bytes read, or the error that ended parsing. */
  execute(bytes) {
    let at = 0;
    while (at < bytes.length && !this.#isOver) {
      const isInHead = this.#state !== 'body';
      if (this.#state === 'waits') {
        this.#state = 'head';
        this.#call('kOnMessageBegin', []);
      }
      const feed = isInHead ? bytes.indexOf(LINE_FEED, at) + 1 || bytes.length : bytes.length;
      const result = this.#parser.execute(bytes.subarray(at, feed), this);
      if (result?.error !== undefined) {
        this.#state = 'failed';
        return withOffset(result.error, at);
      }
      at = feed;
      if (result?.isUpgrade) this.#beUpgraded();
      else this.#applyDecision();
    }
    return at;
  }

  #beUpgraded() {
    this.#state = 'upgraded';
    this.#call('kOnMessageComplete', []);
  }

  #applyDecision() {
    const answer = this.#answer;
    this.#answer = 0;
    if (answer === IS_UPGRADE) this.#beUpgraded();
    if (answer !== SKIP_BODY) return;
    this.#parser.free(); // the rest belongs to another message
    this.#parser = this.#fresh();
    this.#state = 'waits';
    this.#call('kOnMessageComplete', []);
  }

  finish() {
    if (this.#isOver) return undefined;
    const error = this.#parser.finish(this)?.error;
    if (error !== undefined) withOffset(error, 0);
    return error;
  }

  head(what, text, version, rawHeaders, flags) {
    if (this.#state !== 'head') this.#call('kOnMessageBegin', []); // another message in the same chunk
    this.#state = 'body';
    const minor = version % 10;
    const isRequest = this.type === REQUEST;
    this.#url = isRequest ? text : '';
    const answer = this.#call('kOnHeadersComplete', [
      (version - minor) / 10,
      minor,
      rawHeaders,
      isRequest ? ArrayIndexOf(methods, what) : undefined,
      isRequest ? text : undefined,
      isRequest ? undefined : what,
      isRequest ? undefined : text,
      (flags & WISHES_UPGRADE) !== 0,
      (flags & KEEP_ALIVE) !== 0,
    ]);
    this.#answer = answer === true ? SKIP_BODY : NumberIsInteger(answer) ? answer : 0;
  }

  body(bytes) {
    if (this.#answer === 0) this.#call('kOnBody', [asBuffer(bytes)]);
  }

  end(trailers) {
    if (this.#answer !== 0 && this.#answer !== SKIP_BODY) return;
    this.#answer = 0;
    this.#state = 'waits';
    if (trailers?.length > 0) this.#call('kOnHeaders', [trailers, this.#url]);
    this.#call('kOnMessageComplete', []);
  }

  free() {
    this.#parser.free();
  }
}

function withOffset(error, before) {
  error.message = 'Parse Error';
  error.bytesParsed += before;
  return error;
}

class HTTPParser {
  #reading;
  #current;

  initialize(type, resource, maxHeaderSize = 0, lenientFlags = LENIENT.kLenientNone) {
    this.close();
    const name = type === REQUEST ? 'HTTPINCOMINGMESSAGE' : 'HTTPCLIENTREQUEST';
    const known = context.isUsed
      ? context.initResource(resource !== null && typeof resource === 'object' ? resource : {}, name)
      : undefined;
    this.#reading = new Reading(this, type, maxHeaderSize, lenientFlags === LENIENT.kLenientAll, known);
  }

  /** Parses `bytes`; returns the number of bytes read, or an error, which is not thrown. */
  execute(bytes) {
    if (this.#reading === undefined) return 0;
    const buffer = asBuffer(bytes);
    this.#current = buffer;
    try {
      return this.#reading.execute(buffer);
    } finally {
      this.#current = undefined;
    }
  }

  finish() {
    return this.#reading?.finish();
  }

  getCurrentBuffer() {
    return this.#current;
  }

  // These control a parser that reads from a socket itself; this one is given its input.
  pause() {}

  resume() {}

  free() {
    const known = this.#reading?.resource;
    if (known === undefined) return;
    context.endResource(known);
    this.#reading.resource = undefined;
  }

  remove() {}

  consume() {}

  unconsume() {}

  close() {
    this.free();
    this.#reading?.free();
    this.#reading = undefined;
  }
}
HTTPParser.REQUEST = REQUEST;
HTTPParser.RESPONSE = RESPONSE;
for (const table of intact([CALLBACKS, LENIENT])) for (const name in table) HTTPParser[name] = table[name];

module.exports = { HTTPParser, methods };
