'use strict';
// Owns: a server's side of one exchange: the head of its answer, informational ones before it, and what it pushes.

const { nextTick } = require('internal/timers');
const { Http2Stream } = require('node/http2/stream');
const { http2Error } = require('node/http2/errors');
const { fieldsOf, sensitiveHeaders: kSensitive } = require('node/http2/headers');
const { codes } = require('internal/errors/errors');

const PAYLOAD_FORBIDDEN = new Set([204, 205, 304]);

class ServerHttp2Stream extends Http2Stream {
  isPush = false;

  constructor(session, options, headers) {
    super(session, options);
    this.request = headers;
    this.protocol = headers[':scheme'];
    this.authority = headers[':authority'];
    this.headRequest = headers[':method'] === 'HEAD';
  }
  /** Something is written before there were headers. */
  proceed() {
    if (this.sentHeaders === undefined && !this.closed) this.respond();
  }

  get pushAllowed() {
    return !this.destroyed && !this.closed && !this.isPush && this.session.remoteSettings.enablePush && !this.session.closed;
  }

  respond(headers = undefined, options = undefined) {
    if (this.destroyed || this.closed) throw http2Error('ERR_HTTP2_INVALID_STREAM');
    if (this.sentHeaders !== undefined) throw http2Error('ERR_HTTP2_HEADERS_SENT');
    const isList = Array.isArray(headers);
    const given = isList ? objectOfList(headers) : { __proto__: null, ...headers };
    given[':status'] ??= 200;
    const status = Number(given[':status']);
    if (!(status >= 200 && status <= 599)) {
      if (status !== 101 && status >= 100 && status < 200) throw http2Error('ERR_HTTP2_INFO_STATUS_NOT_ALLOWED');
      throw http2Error('ERR_HTTP2_STATUS_INVALID', given[':status']);
    }
    if (options?.sendDate !== false && given.date === undefined) given.date = require('node/http/common').dateText();
    const { [':status']: first, ...others } = given;
    const fields = fieldsOf({ __proto__: null, ':status': first, ...others, [kSensitive]: headers?.[kSensitive] }, 'response');
    if (options?.waitForTrailers) this.waitsForTrailers = true;
    const hasNoBody = Boolean(options?.endStream) || PAYLOAD_FORBIDDEN.has(status) || this.headRequest;
    this.sentHeaders = given;
    given[':status'] = status;
    if (hasNoBody && !this.waitsForTrailers) {
      this.endAfterHeaders = true;
      this.session.sendHeaders(this, fields, true);
      this.isLocalEnded = true;
      for (const { callback } of this.out.splice(0)) nextTick(callback);
      this.end();
      this.localEnded();
    } else {
      if (hasNoBody) this.end();
      this.session.sendHeaders(this, fields, false);
    }
  }

  additionalHeaders(headers) {
    if (this.destroyed || this.closed) throw http2Error('ERR_HTTP2_INVALID_STREAM');
    if (this.sentHeaders !== undefined) throw http2Error('ERR_HTTP2_HEADERS_AFTER_RESPOND');
    const status = Number(headers[':status'] ?? 0);
    if (status === 101) throw http2Error('ERR_HTTP2_STATUS_INVALID', 101);
    if (status < 100 || status >= 200) throw http2Error('ERR_HTTP2_INVALID_INFO_STATUS', headers[':status']);
    (this.sentInfoHeaders ??= []).push(headers);
    this.session.sendHeaders(this, fieldsOf(headers, 'response'), false);
  }

  pushStream(headers, options, callback) {
    if (this.isPush) throw http2Error('ERR_HTTP2_NESTED_PUSH');
    if (!this.pushAllowed) throw http2Error('ERR_HTTP2_PUSH_DISABLED');
    if (typeof options === 'function') callback = options;
    if (typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
    const given = {
      __proto__: null,
      ':method': 'GET',
      ':authority': this.authority,
      ':scheme': this.protocol,
      ':path': '/',
      ...headers,
    };
    let pushed;
    try {
      pushed = this.session.push(this, given, fieldsOf(given, 'request'));
    } catch (error) {
      nextTick(callback, error);
      return;
    }
    nextTick(callback, null, pushed, given, 0);
  }

  respondWithFile(path, headers = undefined, options = {}) {
    require('node/http2/files').respondWithFile(this, path, headers, options);
  }
  respondWithFD(fd, headers = undefined, options = {}) {
    require('node/http2/files').respondWithDescriptor(this, fd, headers, options);
  }
}

function objectOfList(list) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = `${list[i]}`.toLowerCase();
    if (headers[name] === undefined) headers[name] = list[i + 1];
    else headers[name] = [].concat(headers[name], list[i + 1]);
  }
  return headers;
}

module.exports = { ServerHttp2Stream };
