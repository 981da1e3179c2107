// @ts-check
// The requests that the program sends (`fetch`) and answers (`RT.serve`), as the domain Network reports them. The list is bounded.
import { Signal } from '../base/signal.js';

/** @typedef {import('../protocol/session.js').Session} Session */
/** @typedef {Record<string, string>} Headers */

/**
 * @typedef {object} Exchange
 * @property {string} id
 * @property {Session} session
 * @property {string} method
 * @property {string} url
 * @property {string} type such as `Fetch`
 * @property {Headers} requestHeaders
 * @property {boolean} hasRequestBody
 * @property {number} started in seconds, of the program's clock
 * @property {number | null} ended
 * @property {number | null} status
 * @property {string} statusText
 * @property {Headers} responseHeaders
 * @property {string} kind of the response's content
 * @property {number} bytes of the response's body
 * @property {string | null} failure
 */

const MOST = 1_000;

export class NetworkLog {
  /** @type {Exchange[]} */
  exchanges = [];
  /** Whether the program reports requests; null until it has replied. @type {boolean | null} */
  isOffered = null;
  /** @type {Signal<void>} */
  changed = new Signal();

  /** @param {Session} session */
  observe(session) {
    /** @type {Map<string, Exchange>} */
    const open = new Map();
    /** @param {string} method @param {(exchange: Exchange, event: any) => void} apply */
    const on = (method, apply) =>
      session.onAny(method, (event) => {
        const exchange = open.get(event.requestId);
        if (exchange) apply(exchange, event);
        this.changed.emit();
      });
    session.onAny('Network.requestWillBeSent', (event) => open.set(event.requestId, this.#add(session, event)));
    on('Network.responseReceived', (exchange, { response, type }) => {
      exchange.status = response.status;
      exchange.statusText = response.statusText ?? '';
      exchange.responseHeaders = response.headers ?? {};
      exchange.kind = response.mimeType ?? '';
      exchange.type = type ?? exchange.type;
    });
    on('Network.dataReceived', (exchange, { dataLength }) => (exchange.bytes += dataLength));
    on('Network.loadingFinished', (exchange, { timestamp, encodedDataLength }) => {
      exchange.ended = timestamp;
      exchange.bytes ||= encodedDataLength ?? 0;
    });
    on('Network.loadingFailed', (exchange, { timestamp, errorText }) => {
      exchange.ended = timestamp;
      exchange.failure = errorText || 'failed';
    });
    session.onAny('Network.webSocketCreated', ({ requestId, url }) => {
      const event = { requestId, request: { url, method: 'GET' }, type: 'WebSocket', timestamp: 0 };
      open.set(requestId, this.#add(session, event));
    });
    on('Network.webSocketHandshakeResponseReceived', (exchange, { timestamp, response }) => {
      exchange.started = timestamp;
      exchange.status = response.status;
      exchange.statusText = response.statusText;
      exchange.responseHeaders = response.headers;
    });
    on('Network.webSocketClosed', (exchange, { timestamp }) => (exchange.ended = timestamp));
    session.attempt('Network.enable').then((reply) => {
      this.isOffered = reply !== null;
      this.changed.emit();
    });
  }

  clear() {
    this.exchanges = [];
    this.changed.emit();
  }

  /**
   * @param {Session} session
   * @param {any} event
   * @returns {Exchange}
   */
  #add(session, { requestId, request, type, timestamp }) {
    const exchange = {
      id: requestId,
      session,
      method: request.method,
      url: request.url,
      type: type ?? '',
      requestHeaders: request.headers ?? {},
      hasRequestBody: Boolean(request.hasPostData),
      started: timestamp,
      ended: null,
      status: null,
      statusText: '',
      responseHeaders: {},
      kind: '',
      bytes: 0,
      failure: null,
    };
    this.exchanges.push(exchange);
    if (this.exchanges.length > MOST) this.exchanges.shift();
    this.changed.emit();
    return exchange;
  }
}

/**
 * Returns the body of a request or a response; null if the program has not kept it.
 * @param {Exchange} exchange
 * @param {'request' | 'response'} which
 * @returns {Promise<string | null>}
 */
export async function bodyOf({ session, id }, which) {
  if (which === 'request') return (await session.attempt('Network.getRequestPostData', { requestId: id }))?.postData ?? null;
  const reply = await session.attempt('Network.getResponseBody', { requestId: id });
  if (!reply) return null;
  return reply.base64Encoded ? `(binary, ${reply.body.length} characters of base64)` : reply.body;
}
