// @ts-check
'use strict';
// Owns: how the console prints a Request and a Response: their facts, and a line for what they carry.

const { isUint8Array } = require('internal/brands');
const { AnyLastIndexOf, AnySlice } = require('internal/any_kind');
const { NumberToFixed, StringEndsWith } = require('internal/primordials');
const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** A size as the peer words it. */
function sizeText(size) {
  if (size === 0) return '0 KB';
  if (size < 512) return `${size} bytes`;
  if (size < 1000) return `${NumberToFixed(size / 1000, 2)} KB`;
  let amount = size;
  let unit = -1;
  while (amount >= 1000) {
    amount /= 1000;
    unit++;
  }
  return `${NumberToFixed(amount, 1)} ${UNITS[unit]}`;
}

function carried(body) {
  if (body.isUsed) return { size: 0, line: undefined };
  if (body.stream !== undefined) return { size: 0, line: body.stream };
  const { source } = body;
  if (source === null || source === undefined) return { size: 0, line: undefined };
  const { size } = body;
  const type = typeof source === 'string' || isUint8Array(source) ? '' : source.type;
  return { size: size ?? 0, line: { size, type } };
}

/** Print the facts and, where there is something to tell of the body, a line for it; `comma` stands between them. */
function print(printer, name, facts, body, comma) {
  const { size, line } = carried(body);
  printer.facts(facts, `${name} (${sizeText(size)})`);
  const { out, color } = printer;
  const close = AnyLastIndexOf(out, printer.isSingleLine ? ' ' : '\n');
  let head = AnySlice(out, 0, close);
  const tail = AnySlice(out, close);
  if ((line === undefined || !comma) && StringEndsWith(head, color.comma)) head = AnySlice(head, 0, -color.comma.length);
  printer.out = head;
  if (line !== undefined) {
    printer.indent++;
    printer.out += printer.isSingleLine ? ' ' : '\n';
    if (!printer.isSingleLine) printer.writeIndent();
    if (typeof line.getReader === 'function') printer.print(line);
    else printBlob(printer, line);
    printer.indent--;
  }
  printer.out += tail;
}

function printBlob(printer, { size, type }) {
  printer.out += `Blob (${sizeText(size)})`;
  if (!type) return;
  printer.out += ' {\n';
  printer.indent++;
  printer.writeIndent();
  printer.out += `type: ${printer.color.green}"${type}"${printer.color.reset}\n`;
  printer.indent--;
  printer.writeIndent();
  printer.out += '}';
}

// The type that a body implies is not shown before the program has looked at the headers, as in the peer.
const shownHeaders = (headers) => headers ?? new (require('web/fetch/headers').Headers)();

function response(printer, object, { body, headers }) {
  const { ok, url, status, statusText, redirected, bodyUsed } = object;
  print(printer, 'Response', { ok, url, status, statusText, headers: shownHeaders(headers), redirected, bodyUsed }, body, true);
}

function request(printer, object, { body, headers }) {
  const { method, url } = object;
  print(printer, 'Request', { method, url, headers: shownHeaders(headers) }, body, false);
}

module.exports = { response, request };
