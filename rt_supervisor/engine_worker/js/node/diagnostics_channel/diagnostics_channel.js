'use strict';
// Owns: `node:diagnostics_channel`.

const handedDown = require('internal/parts');
const { Channel, channel, subscribe, unsubscribe, hasSubscribers } = require('node/diagnostics_channel/channel');
const { tracingChannel, boundedChannel, BoundedChannel } = require('node/diagnostics_channel/tracing');

/** Publishes messages of rt's own modules, which publish nothing before this module is loaded. */
handedDown.tell = (name, message) => {
  const told = channel(name);
  if (told.hasSubscribers) told.publish(message);
};
handedDown.traceRequire = (message, load) => tracingChannel('module.require').traceSync(load, message);

module.exports = { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, boundedChannel, Channel, BoundedChannel };
