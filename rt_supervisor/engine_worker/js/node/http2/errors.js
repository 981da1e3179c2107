// @ts-check
'use strict';
// Owns: the errors of node:http2, with Node's codes and messages.

const {
  ArrayFilter,
  ArrayFind,
  ObjectDefineProperty,
  ObjectKeys,
  RegExpTest,
  StringReplace,
  intact,
} = require('internal/primordials');
const constants = require('node/http2/constants');

const CODES = ArrayFilter(ObjectKeys(constants), (name) =>
  RegExpTest(/^NGHTTP2_(?!ERR_|SESSION_|STREAM_STATE_|FLAG_|SETTINGS_[^T]|HCAT|NV_|DEFAULT)/, name),
);
const PROTOCOL_ERRNO = -505;
const FLOODED = -904;
const nameOfCode = (code) => ArrayFind(CODES, (name) => constants[name] === code) ?? String(code);

const TEXTS = {
  __proto__: null,
  ERR_HTTP2_ALTSVC_INVALID_ORIGIN: [TypeError, () => 'HTTP/2 ALTSVC frames require a valid origin'],
  ERR_HTTP2_CONNECT_AUTHORITY: [Error, () => ':authority header is required for CONNECT requests'],
  ERR_HTTP2_CONNECT_PATH: [Error, () => 'The :path header is forbidden for CONNECT requests'],
  ERR_HTTP2_CONNECT_SCHEME: [Error, () => 'The :scheme header is forbidden for CONNECT requests'],
  ERR_HTTP2_ERROR: [Error, (words = 'Protocol error') => words],
  ERR_HTTP2_GOAWAY_SESSION: [Error, () => 'New streams cannot be created after receiving a GOAWAY'],
  ERR_HTTP2_HEADERS_AFTER_RESPOND: [Error, () => 'Cannot specify additional headers after response initiated'],
  ERR_HTTP2_HEADERS_SENT: [Error, () => 'Response has already been initiated.'],
  ERR_HTTP2_HEADER_SINGLE_VALUE: [TypeError, (name) => `Header field "${name}" must only have a single value`],
  ERR_HTTP2_INFO_STATUS_NOT_ALLOWED: [RangeError, () => 'Informational status codes cannot be used'],
  ERR_HTTP2_INVALID_CONNECTION_HEADERS: [TypeError, (name) => `HTTP/1 Connection specific headers are forbidden: "${name}"`],
  ERR_HTTP2_INVALID_HEADER_VALUE: [TypeError, (value, name) => `Invalid value "${value}" for header "${name}"`],
  ERR_HTTP2_INVALID_INFO_STATUS: [RangeError, (status) => `Invalid informational status code: ${status}`],
  ERR_HTTP2_INVALID_PSEUDOHEADER: [TypeError, (name) => `"${name}" is an invalid pseudoheader or is used incorrectly`],
  ERR_HTTP2_INVALID_SESSION: [Error, () => 'The session has been destroyed'],
  ERR_HTTP2_INVALID_SETTING_VALUE: [RangeError, (name, value) => `Invalid value for setting "${name}": ${value}`],
  ERR_HTTP2_INVALID_STREAM: [Error, () => 'The stream has been destroyed'],
  ERR_HTTP2_NO_SOCKET_MANIPULATION: [Error, () => 'HTTP/2 sockets should not be directly manipulated (e.g. read and written)'],
  ERR_HTTP2_INVALID_ORIGIN: [TypeError, () => 'HTTP/2 ORIGIN frames require a valid origin'],
  ERR_HTTP2_ORIGIN_LENGTH: [TypeError, () => 'HTTP/2 ORIGIN frames are limited to 16382 bytes'],
  ERR_HTTP2_ALTSVC_LENGTH: [TypeError, () => 'HTTP/2 ALTSVC frames are limited to 16382 bytes'],
  ERR_HTTP2_MAX_PENDING_SETTINGS_ACK: [Error, () => 'Maximum number of pending settings acknowledgements'],
  ERR_HTTP2_OUT_OF_STREAMS: [Error, () => 'No stream ID is available because maximum stream ID has been reached'],
  ERR_HTTP2_PAYLOAD_FORBIDDEN: [Error, (status) => `Responses with ${status} status must not have a payload`],
  ERR_HTTP2_PING_CANCEL: [Error, () => 'HTTP2 ping cancelled'],
  ERR_HTTP2_PING_LENGTH: [RangeError, () => 'HTTP2 ping payload must be 8 bytes'],
  ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED: [TypeError, () => 'Cannot set HTTP/2 pseudo-headers'],
  ERR_HTTP2_PUSH_DISABLED: [Error, () => 'HTTP/2 client has disabled push streams'],
  ERR_HTTP2_NESTED_PUSH: [Error, () => 'A push stream cannot initiate another push stream.'],
  ERR_HTTP2_SEND_FILE: [Error, () => 'Directories cannot be sent'],
  ERR_HTTP2_SEND_FILE_NOSEEK: [Error, () => 'Offset or length can only be specified for regular files'],
  ERR_HTTP2_SESSION_ERROR: [Error, (code) => `Session closed with error code ${code}`],
  ERR_HTTP2_SOCKET_BOUND: [Error, () => 'The socket is already bound to an Http2Session'],
  ERR_HTTP2_SOCKET_UNBOUND: [Error, () => 'The socket has been disconnected from the Http2Session'],
  ERR_HTTP2_STATUS_101: [Error, () => 'HTTP status code 101 (Switching Protocols) is forbidden in HTTP/2'],
  ERR_HTTP2_STATUS_INVALID: [RangeError, (status) => `Invalid status code: ${status}`],
  ERR_HTTP2_STREAM_CANCEL: [
    Error,
    (cause) => `The pending stream has been canceled${cause ? ` (caused by: ${cause.message})` : ''}`,
  ],
  ERR_HTTP2_STREAM_ERROR: [Error, (code) => `Stream closed with error code ${nameOfCode(code)}`],
  ERR_HTTP2_TOO_MANY_INVALID_FRAMES: [Error, () => 'Too many invalid HTTP/2 frames'],
  ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS: [Error, () => 'Number of custom settings exceeds MAX_ADDITIONAL_SETTINGS'],
  ERR_HTTP2_TRAILERS_ALREADY_SENT: [Error, () => 'Trailing headers have already been sent'],
  ERR_HTTP2_TRAILERS_NOT_READY: [Error, () => 'Trailing headers cannot be sent until after the wantTrailers event is emitted'],
  ERR_HTTP2_UNSUPPORTED_PROTOCOL: [Error, (protocol) => `protocol "${protocol}" is unsupported.`],
};

function http2Error(code, ...args) {
  const [Class, text] = intact(TEXTS[code]);
  const error = new Class(text(...intact(args)));
  error.code = code;
  const { stack } = error;
  ObjectDefineProperty(error, 'stack', {
    __proto__: null,
    value: stack === undefined ? stack : StringReplace(stack, Class.name, `${Class.name} [${code}]`),
    writable: true,
    configurable: true,
  });
  if (code === 'ERR_HTTP2_STREAM_CANCEL' && args[0]) error.cause = args[0];
  return error;
}

/** The error of nghttp2, Node's library, for a peer that violates the protocol. */
function protocolError() {
  const error = http2Error('ERR_HTTP2_ERROR');
  error.errno = PROTOCOL_ERRNO;
  return error;
}

/** The error of nghttp2 for a peer that requests more answers than it reads. */
function floodError() {
  const error = http2Error('ERR_HTTP2_ERROR', 'Flooding was detected in this HTTP/2 session, and it must be closed');
  error.errno = FLOODED;
  return error;
}

const INTERNAL_ERROR = 2;
const CANCEL = 8;
/** The error code of a stream destroyed with an error. @param {any} error @param {any} session */
function codeOf(error, session) {
  if (error.name === 'AbortError') return CANCEL;
  return (session?.destroyed && (session.goawayCode || session.destroyCode)) || INTERNAL_ERROR;
}

module.exports = { codeOf, http2Error, protocolError, floodError, nameOfCode };
