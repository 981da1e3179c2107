'use strict';
// Owns: the server side of a stream: response headers, informational responses, and pushes.

const { setOf } = require('internal/collections');
const { ArrayConcat, ArrayIsArray, ArrayPush, ArraySplice, SetHas, intact } = require('internal/primordials');
const { nextTick } = require('internal/timers');
const { Http2Stream } = require('node/http2/stream');
const { http2Error } = require('node/http2/errors');
const { fieldsOf, sensitiveHeaders: kSensitive } = require('node/http2/headers');
const { dateText } = require('node/http/fields');
const { publish } = require('node/http2/diagnostics');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateObject } = require('internal/validators');

const PAYLOAD_FORBIDDEN = setOf([204, 205, 304]);

class ServerHttp2Stream extends Http2Stream {
  isPush = false;

  constructor(session, options, headers) {
    super(session, options);
    this.request = headers;
    this.protocol = headers[':scheme'];
    this.authority = headers[':authority'];
    this.headRequest = headers[':method'] === 'HEAD';
  }
  /** Called when the body is written or ended: sends default headers if none were sent. */
  proceed() {
    if (this.sentHeaders === undefined && !this.closed) this.respond();
  }

  get pushAllowed() {
    return !this.destroyed && !this.closed && !this.isPush && this.session.remoteSettings.enablePush && !this.session.isClosing;
  }

  respond(headers = undefined, options = undefined) {
    if (this.destroyed || this.closed) throw http2Error('ERR_HTTP2_INVALID_STREAM');
    if (this.sentHeaders !== undefined) throw http2Error('ERR_HTTP2_HEADERS_SENT');
    const isList = ArrayIsArray(headers);
    const object = isList ? objectOfList(headers) : { __proto__: null, ...headers };
    const hasStatus = object[':status'] !== undefined;
    object[':status'] ??= 200;
    const status = Number(object[':status']);
    if (!(status >= 200 && status <= 599)) {
      if (status !== 101 && status >= 100 && status < 200) throw http2Error('ERR_HTTP2_INFO_STATUS_NOT_ALLOWED');
      throw http2Error('ERR_HTTP2_STATUS_INVALID', object[':status']);
    }
    const wantsDate =
      options?.sendDate !== false && object.date === undefined && object.DATE === undefined && object.Date === undefined;
    if (wantsDate) object.date = dateText();
    let ordered = object;
    if (isList) {
      ordered = ArrayConcat(hasStatus ? [] : [':status', 200], headers, wantsDate ? ['date', object.date] : []); // keeps the order of the list
      ordered[kSensitive] = headers[kSensitive];
    }
    const fields = fieldsOf(ordered, 'response', this.session.options.strictSingleValueFields !== false);
    if (options?.waitForTrailers) this.waitsForTrailers = true;
    const mayHaveNone = SetHas(PAYLOAD_FORBIDDEN, status) || this.headRequest;
    const hasNoBody = Boolean(options?.endStream) || mayHaveNone;
    this.sentHeaders = object;
    if (!isList) object[':status'] = status;
    if (hasNoBody && (mayHaveNone || !this.waitsForTrailers)) {
      if (!this.session.sendHeaders(this, fields, true)) return;
      this.#publishHead(object);
      this.markLocalEnded();
      for (const { callback } of intact(ArraySplice(this.out, 0))) nextTick(callback);
      this.end();
      this.endLocal();
    } else {
      if (hasNoBody) this.end();
      if (this.session.sendHeaders(this, fields, false)) this.#publishHead(object);
    }
  }
  /** Publishes the response headers; the flags are Node's: ready, header sent, request without a body, trailers follow. */
  #publishHead(headers) {
    publish(this, 'finish', () => ({ headers, flags: 1 | 4 | (this.headRequest ? 8 : 0) | (this.waitsForTrailers ? 32 : 0) }));
  }

  additionalHeaders(headers) {
    if (this.destroyed || this.closed) throw http2Error('ERR_HTTP2_INVALID_STREAM');
    if (this.sentHeaders !== undefined) throw http2Error('ERR_HTTP2_HEADERS_AFTER_RESPOND');
    const fields = fieldsOf(headers, 'response');
    if (headers[':status'] !== undefined) {
      const status = Number(headers[':status']);
      if (status === 101) throw http2Error('ERR_HTTP2_STATUS_101');
      if (status < 100 || status >= 200) throw http2Error('ERR_HTTP2_INVALID_INFO_STATUS', headers[':status']);
    }
    ArrayPush((this.sentInfoHeaders ??= []), headers);
    this.session.sendHeaders(this, fields, false);
  }

  pushStream(headers, options, callback) {
    if (this.isPush) throw http2Error('ERR_HTTP2_NESTED_PUSH');
    if (!this.pushAllowed) throw http2Error('ERR_HTTP2_PUSH_DISABLED');
    if (typeof options === 'function') callback = options;
    validateFunction(callback, 'callback');
    const pushHeaders = {
      __proto__: null,
      ':method': 'GET',
      ':authority': this.authority,
      ':scheme': this.protocol,
      ':path': '/',
      ...headers,
    };
    const fields = fieldsOf(pushHeaders, 'request');
    const pushed = this.session.push(this, pushHeaders, fields);
    if (pushed.headRequest) pushed.end();
    nextTick(() => {
      publish(pushed, 'start', () => ({ headers: pushHeaders }));
      callback(null, pushed, pushHeaders, 0);
    });
    publish(pushed, 'created', () => ({ headers: pushHeaders }));
  }

  #checkFile(headers, options) {
    if (this.destroyed || this.closed) throw http2Error('ERR_HTTP2_INVALID_STREAM');
    if (this.sentHeaders !== undefined) throw http2Error('ERR_HTTP2_HEADERS_SENT');
    validateObject(options, 'options');
    for (const name of intact(['offset', 'length', 'statCheck'])) {
      const value = options[name];
      const isNumber = name === 'offset' || name === 'length';
      if (value !== undefined && (isNumber ? typeof value !== 'number' : typeof value !== 'function'))
        throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, value);
    }
    const status = Number(headers?.[':status'] ?? 200);
    if (SetHas(PAYLOAD_FORBIDDEN, status)) throw http2Error('ERR_HTTP2_PAYLOAD_FORBIDDEN', status);
  }

  respondWithFile(path, headers = undefined, options = {}) {
    this.#checkFile(headers, options);
    require('node/http2/files').respondWithFile(this, path, headers, options);
  }
  respondWithFD(fd, headers = undefined, options = {}) {
    this.#checkFile(headers, options);
    if (typeof fd !== 'number' && typeof fd?.fd !== 'number')
      throw new codes.ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], fd);
    require('node/http2/files').respondWithDescriptor(this, fd, headers, options);
  }
}

function objectOfList(list) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = `${list[i]}`;
    if (headers[name] === undefined) headers[name] = list[i + 1];
    else headers[name] = ArrayConcat([], headers[name], list[i + 1]);
  }
  return headers;
}

module.exports = { ServerHttp2Stream };
