'use strict';
// Owns: what RT_CONFIG_VERBOSE_FETCH has written to standard error: each request (as a curl command with `curl`) and each
// response, of fetch and of node:http. What others must not see is masked, unless RT_CONFIG_VERBOSE_FETCH_SECRETS=1.

const { SetHas } = require('internal/primordials');

const SECRETS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const ON = new Set(['curl', 'true', '1']);
const UNTOLD = new Set(['content-length', 'transfer-encoding', 'connection']);

const mode = () => host.env('RT_CONFIG_VERBOSE_FETCH');
const isOn = () => SetHas(ON, mode());
const showsSecrets = () => host.env('RT_CONFIG_VERBOSE_FETCH_SECRETS') === '1';

function shownUrl(url) {
  return showsSecrets() ? url : url.replace(/^([a-z]+:\/\/)[^/?#@]*@/i, '$1***@');
}

function shownValue(name, value) {
  const lower = name.toLowerCase();
  if (showsSecrets() || !SECRETS.has(lower)) return value;
  if (lower.endsWith('authorization')) {
    const scheme = /^([A-Za-z][\w-]*) \S/.exec(value);
    return scheme === null ? '[redacted]' : `${scheme[1]} [redacted]`;
  }
  // The names of cookies tell what was sent; their values stay secret. Attributes of a cookie are no secret.
  return lower === 'cookie' ? value.replace(/=[^;]*/g, '=[redacted]') : value.replace(/=[^;]*/, '=[redacted]');
}

const isPlain = (text) => /^[\x20-\x7e\u00a0-\uffff]*$/.test(text);
/** A word as a shell reads it back. */
function quoted(text) {
  if (isPlain(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(/[\0-\x1f\x7f-\x9f]/g, (each) => SHORT[each] ?? `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
const SHORT = { __proto__: null, '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function bodyWords(body) {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' && !body.includes('\0')) return ` --data-raw ${quoted(body)}`;
  const bytes = typeof body === 'string' ? host.native.encodeUtf8(body) : body;
  if (!(bytes instanceof Uint8Array)) return ' --data-binary @-'; // a stream: what it gives is not known
  const text = host.native.decodeUtf8(bytes);
  if (!text.includes('\0') && !text.includes('\ufffd')) return bodyWords(text);
  const octal = Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  return ` --data-binary @<(printf '${octal}')`;
}

function curl({ method, url, headers, body, unix }) {
  let line = 'curl --http1.1';
  if (/[[\]{}]/.test(url)) line += ' --globoff';
  if (unix !== undefined) line += ` --unix-socket ${quoted(unix)}`;
  line += ` ${quoted(shownUrl(url))}`;
  if (method === 'HEAD') line += ' --head';
  else if (method !== 'GET' || (body !== undefined && body !== null)) line += ` -X ${method}`;
  const named = new Set();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (UNTOLD.has(lower)) continue;
    named.add(lower);
    line += ` -H ${quoted(value === '' ? `${name};` : `${name}: ${shownValue(name, value)}`)}`;
  }
  // What curl says by itself and this request does not; the type is of data that has none.
  for (const name of ['User-Agent', 'Accept']) if (!named.has(name.toLowerCase())) line += ` -H '${name}:'`;
  if (body !== undefined && body !== null && !named.has('content-type')) line += " -H 'Content-Type:'";
  return line + bodyWords(body);
}

/** A request that is about to be sent: { method, url, headers (pairs), body (text, bytes, a stream or nothing), unix }. */
function request(facts) {
  let text = mode() === 'curl' ? `[fetch] $ ${curl(facts)}\n` : '';
  text += `[fetch] > HTTP/1.1 ${facts.method} ${shownUrl(facts.url)}\n`;
  for (const [name, value] of facts.headers) text += `[fetch] > ${name}: ${shownValue(name, value)}\n`;
  host.writeErr(`${text}\n`);
}

/** A response whose head has arrived; `rawHeaders` alternates names and values. */
function response(status, reason, rawHeaders) {
  let text = `[fetch] < ${status} ${reason}\n`;
  for (let i = 0; i < rawHeaders.length; i += 2)
    text += `[fetch] < ${rawHeaders[i]}: ${shownValue(rawHeaders[i], rawHeaders[i + 1])}\n`;
  host.writeErr(text);
}

/** Tell of a request of node:http: when all of it is known, or its response comes first. */
function watch(message, options) {
  const chunks = [];
  const { Buffer } = require('node/buffer/buffer');
  const keep = (chunk, encoding) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? encoding : undefined));
    else if (chunk instanceof Uint8Array) chunks.push(chunk);
  };
  const { write, end } = message;
  message.write = function verboseWrite(chunk, encoding, callback) {
    keep(chunk, encoding);
    return write.call(this, chunk, encoding, callback);
  };
  message.end = function verboseEnd(chunk, encoding, callback) {
    keep(chunk, encoding);
    const result = end.call(this, chunk, encoding, callback);
    tell();
    return result;
  };
  let isTold = false;
  const tell = () => {
    if (isTold) return;
    isTold = true;
    const lines = (message._header ?? '')
      .split('\r\n')
      .slice(1)
      .filter((line) => line !== '');
    const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
    const named = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
    const place = named ?? `${options.host}${options.port && options.port !== options.defaultPort ? `:${options.port}` : ''}`;
    const url = /^https?:\/\//.test(message.path) ? message.path : `${message.protocol}//${place}${message.path}`;
    request({
      method: message.method,
      url,
      headers,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
      unix: options.socketPath,
    });
  };
  const { emit } = message;
  message.emit = function verboseEmit(name, ...args) {
    if (name === 'response') {
      const [answer] = args;
      tell();
      response(answer.statusCode, answer.statusMessage, answer.rawHeaders);
    }
    return Reflect.apply(emit, this, [name, ...args]);
  };
}

module.exports = { isOn, request, response, watch };
