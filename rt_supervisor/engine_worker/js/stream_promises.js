'use strict';
// Owns: node:stream/promises.

const { finishedPromise } = require('./stream_finished');
const { pipelinePromise } = require('./stream_pipeline');

module.exports = {
  finished(stream, options) { return finishedPromise(stream, options); },
  pipeline(...streams) { return pipelinePromise(...streams); },
};
