// @ts-check
'use strict';
// Owns: what is published of a stream on the channels of diagnostics (`http2.client.stream.*`, `http2.server.stream.*`), as Node does.
// Nothing is published, and nothing made for it, before a program has loaded that module.

const handedDown = require('internal/parts');

/**
 * `made` gives what the message has beside the stream.
 * @param {any} stream @param {string} event @param {() => object} [made]
 */
function tellOf(stream, event, made = undefined) {
  if (handedDown.tell === undefined) return;
  const side = stream.request === undefined ? 'client' : 'server';
  handedDown.tell(`http2.${side}.stream.${event}`, { stream, ...made?.() });
}

/**
 * What a client sends: told once the stream has a number.
 * @param {any} stream @param {string} event @param {() => object} [made]
 */
function tellOfBody(stream, event, made = undefined) {
  if (handedDown.tell === undefined || stream.request !== undefined) return;
  if (stream.pending) stream.once('ready', () => tellOf(stream, event, made));
  else tellOf(stream, event, made);
}

module.exports = { tellOf, tellOfBody };
