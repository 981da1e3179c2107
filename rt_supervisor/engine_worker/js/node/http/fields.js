// @ts-check
'use strict';
// Owns: header fields of HTTP/1 and HTTP/2 messages: valid names and values, the value of Date, and the size limit.

const startValues = require('internal/start_values');
const { DateNow, DateToUTCString, MathFloor, RegExpTest, SetAdd, SetHas } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const validNames = new Set(); // names already validated: most programs use few

function isToken(text) {
  if (SetHas(validNames, text)) return true;
  if (!RegExpTest(TOKEN, text)) return false;
  if (validNames.size < 1000) SetAdd(validNames, text);
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

module.exports = { isToken, hasBadCharacter, validateHeaderName, validateHeaderValue, dateText, maxHeaderSize };
