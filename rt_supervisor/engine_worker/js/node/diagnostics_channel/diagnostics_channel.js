'use strict';
// Owns: `node:diagnostics_channel`.

const runtimeParts = require('internal/parts');
const { PromiseCatch, PromiseWithResolvers } = require('internal/promises');
const { Channel, channel, subscribe, unsubscribe, hasSubscribers } = require('node/diagnostics_channel/channel');
const { tracingChannel, boundedChannel, BoundedChannel } = require('node/diagnostics_channel/tracing');

/** Publishes messages of rt's own modules; they publish nothing before this module is loaded. */
runtimeParts.publish = (name, message) => {
  if (hasSubscribers(name)) channel(name).publish(message);
};
runtimeParts.traceRequire = (message, load) => tracingChannel('module.require').traceSync(load, message);
runtimeParts.traceImport = (url, parent) => {
  const tracing = tracingChannel('module.import');
  if (!tracing.hasSubscribers) return undefined;
  const { promise, resolve, reject } = PromiseWithResolvers();
  const parentURL = parent[0] === '/' ? require('internal/file_url').pathToHref(parent) : parent;
  const traced = tracing.tracePromise(() => promise, { __proto__: null, parentURL, url });
  PromiseCatch(traced, () => {}); // rejections are reported to the importer
  return (isRejected, value) => (isRejected ? reject : resolve)(value);
};

module.exports = { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, boundedChannel, Channel, BoundedChannel };
