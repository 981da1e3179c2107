// @ts-check
// The requests of the program as a table, and the details of the selected one.
import { byId, element, fill } from '../base/dom.js';
import { bodyOf } from '../program/network_log.js';

/** @typedef {import('../program/network_log.js').Exchange} Exchange */
/** @typedef {import('../program/network_log.js').NetworkLog} NetworkLog */

export class NetworkView {
  #rows = byId('network-rows');
  #details = byId('network-details');
  #note = byId('network-note');
  /** @type {Exchange | null} */
  #selected = null;
  #isDue = false;

  /** @param {NetworkLog} log */
  constructor(log) {
    this.log = log;
    log.changed.listen(() => this.#schedule());
    byId('network-clear').addEventListener('click', () => {
      this.#selected = null;
      log.clear();
      fill(this.#details);
    });
    this.#draw();
  }

  #schedule() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw() {
    const { exchanges, isOffered } = this.log;
    this.#note.hidden = exchanges.length > 0;
    this.#note.textContent =
      isOffered === false ? 'This program does not report its requests.' : 'Requests appear here while the page is open.';
    fill(this.#rows, ...exchanges.map((exchange) => this.#row(exchange)));
    this.#details.hidden = !this.#selected;
  }

  /** @param {Exchange} exchange */
  #row(exchange) {
    const { method, url, status, failure, type, bytes, started, ended } = exchange;
    const show = () => this.#show(exchange);
    const name = element('button', { 'class': 'link', 'title': url, 'onclick': show }, shortened(url));
    const cells = [
      method,
      name,
      failure ?? status ?? '…',
      type,
      sizeText(bytes),
      ended === null ? '…' : timeText(ended - started),
    ];
    const isBad = failure !== null || (status ?? 0) >= 400;
    return element(
      'tr',
      { 'class': isBad ? 'bad' : null, 'aria-selected': String(exchange === this.#selected), 'onclick': show },
      ...cells.map((cell) => element('td', {}, cell)),
    );
  }

  /** @param {Exchange} exchange */
  async #show(exchange) {
    this.#selected = exchange;
    this.#draw();
    const sent = exchange.hasRequestBody ? await bodyOf(exchange, 'request') : null;
    const received = exchange.ended !== null && exchange.failure === null ? await bodyOf(exchange, 'response') : null;
    if (this.#selected !== exchange) return;
    const { status, statusText, method, url, requestHeaders, responseHeaders, failure } = exchange;
    fill(
      this.#details,
      element('h3', {}, `${method} ${url}`),
      element('p', {}, failure ?? (status === null ? 'No response yet' : `${status} ${statusText}`)),
      headerList('Request headers', requestHeaders),
      sent !== null && bodyBlock('Request body', sent),
      headerList('Response headers', responseHeaders),
      received !== null && bodyBlock('Response body', received),
    );
  }
}

/** @param {string} title @param {Record<string, string>} headers */
function headerList(title, headers) {
  const rows = Object.entries(headers).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return rows.length > 0 ? element('section', {}, element('h4', {}, title), element('dl', {}, ...rows)) : null;
}

/** @param {string} title @param {string} text */
function bodyBlock(title, text) {
  return element('section', {}, element('h4', {}, title), element('pre', {}, text));
}

/** @param {string} url */
function shortened(url) {
  const found = URL.canParse(url) ? new URL(url) : null;
  return found ? `${found.host}${found.pathname}${found.search}` : url;
}

/** @param {number} bytes */
function sizeText(bytes) {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** @param {number} seconds */
function timeText(seconds) {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(2)} s`;
}
