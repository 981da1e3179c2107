// @ts-check
'use strict';
// Owns: the log of RT_CONFIG_VERBOSE_FETCH on standard error: each request (with `curl`, as a curl command) and each response
// of fetch and node:http. Secrets are masked, unless RT_CONFIG_VERBOSE_FETCH_SECRETS=1.

const { isUint8Array } = require('internal/brands');
const { AnyToString } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const { observeBody } = require('node/http/sent_body');
const {
  ArrayFilter,
  ArrayFrom,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  NumberToString,
  ReflectApply,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  SetAdd,
  SetHas,
  StringCharCodeAt,
  StringEndsWith,
  StringIncludes,
  StringIndexOf,
  StringPadStart,
  StringReplaceAll,
  StringSlice,
  StringSplit,
  StringToLowerCase,
  intact,
} = require('internal/primordials');

const SECRETS = setOf(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const ON = setOf(['curl', 'true', '1']);
const IMPLICIT = setOf(['content-length', 'transfer-encoding', 'connection']);

const mode = () => host.env('RT_CONFIG_VERBOSE_FETCH');
const isOn = () => SetHas(ON, mode());
const showsSecrets = () => host.env('RT_CONFIG_VERBOSE_FETCH_SECRETS') === '1';

function shownUrl(url) {
  return showsSecrets() ? url : RegExpReplace(/^([a-z]+:\/\/)[^/?#@]*@/i, url, (_, scheme) => `${scheme}***@`);
}

function shownValue(name, value) {
  const lower = StringToLowerCase(name);
  if (showsSecrets() || !SetHas(SECRETS, lower)) return value;
  if (StringEndsWith(lower, 'authorization')) {
    const scheme = RegExpExec(/^([A-Za-z][\w-]*) \S/, value);
    return scheme === null ? '[redacted]' : `${scheme[1]} [redacted]`;
  }
  // The names of cookies are shown, their values are not. Cookie attributes are not secret.
  return lower === 'cookie' ? RegExpReplace(/=[^;]*/g, value, '=[redacted]') : RegExpReplace(/=[^;]*/, value, '=[redacted]');
}

const isPlain = (text) => RegExpTest(/^[\x20-\x7e\u00a0-\uffff]*$/, text);
const UNSAID = /[\0-\x1f\x7f-\x9f]/g;
const UNSAID_BYTES = /[\0-\x1f\x7f-\xff]/g; // of a header, whose characters are bytes on the wire
/** Quotes a text as one shell word. */
function quoteWord(text, unsaid = UNSAID) {
  if (unsaid === UNSAID ? isPlain(text) : !RegExpTest(/[\0-\x1f\x7f-\xff]/, text))
    return `'${StringReplaceAll(text, "'", "'\\''")}'`;
  const escaped = RegExpReplace(
    unsaid,
    RegExpReplace(/[\\']/g, text, (each) => `\\${each}`),
    (each) => SHORT[each] ?? `\\x${StringPadStart(NumberToString(StringCharCodeAt(each, 0), 16), 2, '0')}`,
  );
  return `$'${escaped}'`;
}
const SHORT = { __proto__: null, '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function bodyWords(body) {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' && !StringIncludes(body, '\0')) return ` --data-raw ${quoteWord(body)}`;
  const bytes = typeof body === 'string' ? host.native.encodeUtf8(body) : body;
  if (!isUint8Array(bytes)) return ' --data-binary @-'; // a stream, whose bytes are unknown
  const text = host.native.decodeUtf8(bytes);
  if (!StringIncludes(text, '\0') && !StringIncludes(text, '\ufffd')) return bodyWords(text);
  const octal = ArrayJoin(
    ArrayFrom(intact(bytes), (byte) => `\\${StringPadStart(AnyToString(byte, 8), 3, '0')}`),
    '',
  );
  return ` --data-binary @<(printf '${octal}')`;
}

function curl({ method, url, headers, body, unix }) {
  let line = 'curl --http1.1';
  if (RegExpTest(/[[\]{}]/, url)) line += ' --globoff';
  if (unix !== undefined) line += ` --unix-socket ${quoteWord(unix)}`;
  line += ` ${quoteWord(shownUrl(url))}`;
  if (method === 'HEAD') line += ' --head';
  else if (method !== 'GET' || (body !== undefined && body !== null)) line += ` -X ${method}`;
  const names = new Set();
  for (const { 0: name, 1: value } of intact(headers)) {
    const lower = StringToLowerCase(name);
    if (SetHas(IMPLICIT, lower)) {
      // curl computes the length of a body itself, and sends none without a body.
      if (lower === 'transfer-encoding' || (lower === 'content-length' && (body === undefined || body === null)))
        line += ` -H ${quoteWord(`${name}: ${value}`)}`;
      continue;
    }
    SetAdd(names, lower);
    line += ` -H ${quoteWord(value === '' ? `${name};` : `${name}: ${shownValue(name, value)}`, UNSAID_BYTES)}`;
  }
  // Suppresses headers that curl adds by itself but this request lacks; curl adds a content type only to a body.
  for (const name of intact(['User-Agent', 'Accept'])) if (!SetHas(names, StringToLowerCase(name))) line += ` -H '${name}:'`;
  if (body !== undefined && body !== null && !SetHas(names, 'content-type')) line += " -H 'Content-Type:'";
  return line + bodyWords(body);
}

/** Logs a request about to be sent: { method, url, headers (pairs), body (string, bytes, a stream or nothing), unix }. */
function request(facts) {
  let text = mode() === 'curl' ? `[fetch] $ ${curl(facts)}\n` : '';
  text += `[fetch] > HTTP/1.1 ${facts.method} ${shownUrl(facts.url)}\n`;
  for (const { 0: name, 1: value } of intact(facts.headers)) text += `[fetch] > ${name}: ${shownValue(name, value)}\n`;
  host.writeErr(`${text}\n`);
}

/** Logs a response whose header has arrived; `rawHeaders` alternates names and values. */
function response(status, reason, rawHeaders) {
  let text = `[fetch] < ${status} ${reason}\n`;
  for (let i = 0; i < rawHeaders.length; i += 2)
    text += `[fetch] < ${rawHeaders[i]}: ${shownValue(rawHeaders[i], rawHeaders[i + 1])}\n`;
  host.writeErr(text);
}

/** Logs a node:http request once it is complete, or when its response arrives earlier. */
function watch(message, options) {
  const chunks = [];
  const { Buffer } = require('node/buffer/buffer');
  let isLogged = false;
  const log = () => {
    if (isLogged) return;
    isLogged = true;
    const lines = ArrayFilter(ArraySlice(StringSplit(message._header ?? '', '\r\n'), 1), (line) => line !== '');
    const headers = ArrayMap(lines, (line) => [
      StringSlice(line, 0, StringIndexOf(line, ':')),
      StringSlice(line, StringIndexOf(line, ':') + 2),
    ]);
    const host = headers.find(({ 0: name }) => StringToLowerCase(name) === 'host')?.[1];
    const place = host ?? `${options.host}${options.port && options.port !== options.defaultPort ? `:${options.port}` : ''}`;
    const url = RegExpTest(/^https?:\/\//, message.path) ? message.path : `${message.protocol}//${place}${message.path}`;
    request({
      method: message.method,
      url,
      headers,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
      unix: options.socketPath,
    });
  };
  observeBody(message, (bytes) => void ArrayPush(chunks, bytes), log);
  const { emit } = message;
  function verboseEmit(name, ...args) {
    if (name === 'response') {
      const { 0: answer } = args;
      log();
      response(answer.statusCode, answer.statusMessage, answer.rawHeaders);
    }
    return ReflectApply(emit, this, [name, ...intact(args)]);
  }
  message.emit = verboseEmit;
}

module.exports = { isOn, request, response, watch };
