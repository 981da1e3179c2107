'use strict';
// Owns: `node:diagnostics_channel`.

const { Channel, channel, subscribe, unsubscribe, hasSubscribers } = require('node/diagnostics_channel/channel');
const { tracingChannel, boundedChannel, BoundedChannel } = require('node/diagnostics_channel/tracing');

module.exports = { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, boundedChannel, Channel, BoundedChannel };
