// @ts-check
'use strict';
// Owns: the events that streams publish on the diagnostics channels `http2.client.stream.*` and `http2.server.stream.*`, as in Node.
// Before a program loads node:diagnostics_channel nothing is published and no message is created.

const runtimeParts = require('internal/parts');

/**
 * Publishes an event; `made` returns the properties of the message besides the stream.
 * @param {any} stream @param {string} event @param {() => object} [made]
 */
function publish(stream, event, made = undefined) {
  if (runtimeParts.publish === undefined) return;
  const side = stream.request === undefined ? 'client' : 'server';
  runtimeParts.publish(`http2.${side}.stream.${event}`, { stream, ...made?.() });
}

/**
 * Publishes an event of a client's body, once the stream has an ID.
 * @param {any} stream @param {string} event @param {() => object} [made]
 */
function publishBody(stream, event, made = undefined) {
  if (runtimeParts.publish === undefined || stream.request !== undefined) return;
  if (stream.pending) stream.once('ready', () => publish(stream, event, made));
  else publish(stream, event, made);
}

module.exports = { publish, publishBody };
