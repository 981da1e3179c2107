// @ts-check
'use strict';
// Owns: the console form of a Request and a Response: their properties, and a line for the body.

const { AnyLastIndexOf, AnySlice } = require('internal/any_kind');
const { StringEndsWith } = require('internal/primordials');
const { sizeText } = require('web/blob/printing');

/** Returns whether a body's source is a Blob, a File or a file of RT. */
const isBlobLike = (source) => typeof source === 'object' && source !== null && typeof source.arrayBuffer === 'function';

function describeBody(body) {
  if (body.isUsed) return { size: 0, line: undefined };
  if (body.stream !== undefined) return { size: 0, line: body.stream };
  const { source } = body;
  if (source === null || source === undefined) return { size: 0, line: undefined };
  const { size } = body;
  return { size: size ?? 0, line: isBlobLike(source) ? source : { size } };
}

/** Prints the properties and, if the body can be described, a line for it, separated by `comma`. */
function print(printer, name, facts, body, comma) {
  const { size, line } = describeBody(body);
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
    if (typeof line.getReader === 'function' || isBlobLike(line)) printer.print(line);
    else printer.out += `Blob (${sizeText(line.size)})`;
    printer.indent--;
  }
  printer.out += tail;
}

// As in Bun, the type implied by a string is shown only after the program has accessed the headers, the type of a Blob always.
function shownHeaders(object, { body, headers }) {
  if (headers !== undefined && headers !== null) return headers;
  return isBlobLike(body.source) ? object.headers : new (require('web/fetch/headers').Headers)();
}

function response(printer, object, parts) {
  const { ok, url, status, statusText, redirected, bodyUsed } = object;
  print(
    printer,
    'Response',
    { ok, url, status, statusText, headers: shownHeaders(object, parts), redirected, bodyUsed },
    parts.body,
    true,
  );
}

function request(printer, object, parts) {
  const { method, url } = object;
  print(printer, 'Request', { method, url, headers: shownHeaders(object, parts) }, parts.body, false);
}

module.exports = { response, request };
