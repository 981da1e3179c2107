// @ts-check
'use strict';
// Owns: node:stream/promises.

const { intact } = require('internal/primordials');
const { finishedPromise } = require('node/stream/finished');
const { pipelinePromise } = require('node/stream/pipeline');

module.exports = {
  finished(stream, options) {
    return finishedPromise(stream, options);
  },
  pipeline(...streams) {
    return pipelinePromise(...intact(streams));
  },
};
