// @ts-check
'use strict';
// Owns: the vocabulary of HTTP: methods, status texts, valid names and values, and the date of a response.

const startValues = require('internal/start_values');
const { DateNow, DateToUTCString, MathFloor, RegExpTest, SetAdd, SetHas, StringSplit } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const METHODS = StringSplit(
  'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS ' +
    'PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE',
  ' ',
);

const STATUS_CODES = {
  100: 'Continue',
  101: 'Switching Protocols',
  102: 'Processing',
  103: 'Early Hints',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  203: 'Non-Authoritative Information',
  204: 'No Content',
  205: 'Reset Content',
  206: 'Partial Content',
  207: 'Multi-Status',
  208: 'Already Reported',
  226: 'IM Used',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  305: 'Use Proxy',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  509: 'Bandwidth Limit Exceeded',
  510: 'Not Extended',
  511: 'Network Authentication Required',
};

const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const known = new Set(); // names already validated: most programs use few

function isToken(text) {
  if (SetHas(known, text)) return true;
  if (!RegExpTest(TOKEN, text)) return false;
  if (known.size < 1000) SetAdd(known, text);
  return true;
}
const hasBadCharacter = (value) => RegExpTest(BAD_VALUE, value);

function validateHeaderName(name, label) {
  if (typeof name !== 'string' || !name || !isToken(name)) throw new codes.ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
}

function validateHeaderValue(name, value) {
  if (value === undefined) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (hasBadCharacter(value)) throw new codes.ERR_INVALID_CHAR('header content', name);
}

let date;
let dateSecond = 0;
/** The current date as the value of a Date header; computed at most once a second. */
function dateText() {
  const now = DateNow();
  const second = MathFloor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = DateToUTCString(new Date(now));
  }
  return date;
}

const maxHeaderSize = () => startValues.maxHeaderSize ?? 16 * 1024;

/** The header of an error response, after which the connection is closed. */
const errorHead = (status, extra = '') => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${extra}\r\n`;

module.exports = {
  METHODS,
  errorHead,
  STATUS_CODES,
  isToken,
  hasBadCharacter,
  validateHeaderName,
  validateHeaderValue,
  dateText,
  maxHeaderSize,
};
