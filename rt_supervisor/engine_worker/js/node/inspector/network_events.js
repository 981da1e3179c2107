// @ts-check
'use strict';
// Owns: the events of the protocol's domain Network for one exchange, in their order:
//
//     requestWillBeSent --> responseReceived --> dataReceived … --> loadingFinished
//                      `--------------`-----------------------------> loadingFailed
//
// `rt_supervisor/engine_worker/inspecting/network.py` passes them to front ends and keeps the bodies.

const {
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  DateNow,
  ErrorCaptureStackTrace,
  JSONStringify,
  RegExpExec,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { MIMEType } = require('internal/mime');

const { native } = host;
const FRAMES = 32;
const OWN = /^(?:rt|node):/;

let count = 0;
const nextId = () => `node-network-event-${++count}`;
const SERVED = 'rt-served-request-'; // `network.py` reports these requests only to front ends outside of the program
const seconds = () => native.now() / 1000;
/** @param {string} event @param {object} params */
const emit = (event, params) => native.inspector_network(`Network.${event}`, JSONStringify(params));

/** The URL of a frame's file; a CommonJS module has a path, as in Node. @param {string} name */
const urlOf = (name) =>
  name[0] !== '/' || require('node/module/commonjs').cached()[name] !== undefined ? name : `file://${name}`;

/** The frames of the program that lead to a request. */
function initiator() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = /** @type {{ stack: any }} */ ({});
  try {
    Error.stackTraceLimit = FRAMES;
    Error.prepareStackTrace = (_, sites) => sites;
    ErrorCaptureStackTrace(holder, initiator);
    const callFrames = [];
    for (const site of intact(holder.stack)) {
      const name = site.getFileName() ?? '';
      if (name === '' || RegExpExec(OWN, name) !== null) continue;
      ArrayPush(callFrames, {
        functionName: site.getFunctionName() ?? '',
        scriptId: '0',
        url: urlOf(name),
        lineNumber: (site.getLineNumber() ?? 1) - 1,
        columnNumber: (site.getColumnNumber() ?? 1) - 1,
      });
    }
    return { type: 'script', stack: { callFrames } };
  } catch {
    return { type: 'script' }; // the stack is exhausted
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** What joins several values of the header `name`. @param {string} name */
const separatorOf = (name) => (name === 'set-cookie' ? '\n' : name === 'cookie' ? '; ' : ', ');

/**
 * Headers as an object; several values of one name are joined as on the wire.
 * @param {unknown[]} raw names and values in turns
 */
function headersOf(raw) {
  const headers = /** @type {Record<string, string>} */ (/** @type {unknown} */ ({ __proto__: null }));
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = StringToLowerCase(`${raw[index]}`);
    const value = `${raw[index + 1]}`;
    headers[name] = headers[name] === undefined ? value : `${headers[name]}${separatorOf(name)}${value}`;
  }
  return headers;
}

/** The same for the object that `getHeaders` returns. */
function headersOfObject(given) {
  const headers = /** @type {Record<string, string>} */ (/** @type {unknown} */ ({ __proto__: null }));
  for (const name in given) {
    const value = given[name];
    if (value !== undefined)
      headers[name] = typeof value === 'object' ? ArrayJoin(ArrayMap(value, String), separatorOf(name)) : `${value}`;
  }
  return headers;
}

/** @param {string | undefined} type the value of a Content-Type header */
function mimeOf(type) {
  try {
    const { essence, params } = new MIMEType(type);
    return { mimeType: essence, charset: params.get('charset') ?? '' };
  } catch {
    return { mimeType: '', charset: '' }; // absent or invalid
  }
}

/** @returns {Record<string, (body: Uint8Array) => Uint8Array>} */
const zlib = () => /** @type {any} */ (require('node/zlib/zlib'));
/** Decoders of bodies by content coding. */
const DECODERS = /** @type {any} */ ({
  '__proto__': null,
  'gzip': (body) => zlib().gunzipSync(body),
  'x-gzip': (body) => zlib().gunzipSync(body),
  'deflate': (body) => (((body[0] ?? 0) & 15) === 8 ? zlib().inflateSync(body) : zlib().inflateRawSync(body)),
  'br': (body) => zlib().brotliDecompressSync(body),
  'zstd': (body) => zlib().zstdDecompressSync(body),
});
const MOST_ENCODED = 10_000_000;

class Exchange {
  #isOver = false;
  /** @type {((body: Uint8Array) => Uint8Array) | undefined} */
  #decode;
  #encoded = /** @type {Uint8Array[]} */ ([]);
  #encodedSize = 0;

  /**
   * Reports a request: `type` is the protocol's type of resource, `body` whether the request has one.
   * @param {{ url: string, method: string, headers: object, hasBody: boolean, type: string, isServed?: boolean }} facts
   */
  constructor({ url, method, headers, hasBody, type, isServed = false }) {
    this.id = isServed ? `${SERVED}${++count}` : nextId();
    this.url = url;
    this.type = type;
    emit('requestWillBeSent', {
      requestId: this.id,
      request: { url, method, headers, hasPostData: hasBody },
      initiator: isServed ? { type: 'other' } : initiator(),
      timestamp: seconds(),
      wallTime: DateNow() / 1000,
      type,
      charset: mimeOf(headers['content-type']).charset, // not part of the event: `network.py` removes it
    });
  }

  /** @param {Uint8Array | string} bytes of the request's body */
  sent(bytes) {
    native.inspector_networkData(this.id, 'request', bytes);
  }

  /** @param {number} status @param {string} statusText @param {Record<string, string>} headers with names in lower case */
  answered(status, statusText, headers) {
    const { mimeType, charset } = mimeOf(headers['content-type']);
    native.inspector_networkType(this.id, mimeType, charset);
    this.#decode = DECODERS[StringToLowerCase(headers['content-encoding'] ?? '')];
    emit('responseReceived', {
      requestId: this.id,
      timestamp: seconds(),
      type: this.type,
      response: { url: this.url, status, statusText, headers, mimeType, charset },
    });
  }

  /** @param {Uint8Array | string} data of the response's body, as transferred */
  received(data) {
    const bytes = typeof data === 'string' ? native.encodeUtf8(data) : data;
    const { length } = bytes;
    if (this.#decode === undefined) native.inspector_networkData(this.id, 'response', bytes);
    else if ((this.#encodedSize += length) <= MOST_ENCODED) ArrayPush(this.#encoded, bytes);
    emit('dataReceived', { requestId: this.id, timestamp: seconds(), dataLength: length, encodedDataLength: length });
  }

  finished() {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#decode !== undefined && this.#encoded.length > 0) {
      const { Buffer } = require('node/buffer/buffer');
      const body = Buffer.concat(this.#encoded);
      try {
        native.inspector_networkData(this.id, 'response', this.#decode(body));
      } catch {
        native.inspector_networkData(this.id, 'response', body);
      }
    }
    emit('loadingFinished', { requestId: this.id, timestamp: seconds() });
  }

  /** @param {string} errorText */
  failed(errorText) {
    if (this.#isOver) return;
    this.#isOver = true;
    emit('loadingFailed', { requestId: this.id, timestamp: seconds(), type: this.type, errorText });
  }
}

module.exports = { Exchange, emit, headersOf, headersOfObject, initiator, nextId, seconds };
