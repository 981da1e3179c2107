// @ts-check
'use strict';
// Owns: the errors of fetch. Each is a TypeError whose message describes the failure; its cause has Node's name and
// code. The TypeError itself also has the cause's code, or ECONNRESET, which programs check, if the server closed the
// connection.

const { ObjectDefineProperty } = require('internal/primordials');

const RESET = 'UND_ERR_SOCKET';

function makeError(name, code, message) {
  const error = new Error(message);
  ObjectDefineProperty(error, 'name', { __proto__: null, value: name, writable: true, enumerable: false, configurable: true });
  error.code = code;
  return error;
}

/** The server ended the connection, or answered in a way that ends it. */
const socketError = (message = 'other side closed') => makeError('SocketError', RESET, message);
const lengthMismatch = () =>
  makeError(
    'RequestContentLengthMismatchError',
    'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
    'Request body length does not match content-length header',
  );
const invalidHeader = (name) => makeError('InvalidArgumentError', 'UND_ERR_INVALID_ARG', `invalid ${name} header`);

/** The error for a response that the parser rejected. */
function answerError(error) {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return makeError('HeadersOverflowError', 'UND_ERR_HEADERS_OVERFLOW', 'Headers Overflow Error');
  return makeError('HTTPParserError', error.code, error.message);
}

const unsupportedProxy = (protocol) =>
  makeError('Error', 'UnsupportedProxyProtocol', `Proxies of protocol ${protocol} are not supported`);

function withCode(error, code) {
  if (code === undefined) return error;
  const value = code === RESET ? 'ECONNRESET' : code;
  ObjectDefineProperty(error, 'code', { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  return error;
}

/** The program aborted the request. */
function abortError() {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException('The operation was aborted.', 'AbortError');
}

/** No response was received. */
const fetchError = (cause, code = cause?.code) => withCode(new TypeError('fetch failed', { cause }), code);
/** The body ended prematurely. */
const terminatedError = (cause) => withCode(new TypeError('terminated', { cause }), cause?.code);

module.exports = {
  abortError,
  fetchError,
  terminatedError,
  socketError,
  lengthMismatch,
  invalidHeader,
  unsupportedProxy,
  answerError,
};
