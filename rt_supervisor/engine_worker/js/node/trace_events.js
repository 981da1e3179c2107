// @ts-check
'use strict';
// Owns: node:trace_events. rt writes no trace files, so no category is ever enabled; enabling one reports that.

const { codes } = require('internal/errors/errors');
const { validateObject, validateStringArray } = require('internal/validators');

const getEnabledCategories = () => undefined;

function createTracing(options) {
  validateObject(options, 'options');
  validateStringArray(options.categories, 'options.categories');
  if (options.categories.length <= 0) throw new codes.ERR_TRACE_EVENTS_CATEGORY_REQUIRED();
  throw new codes.ERR_NOT_IMPLEMENTED('trace_events', 'createTracing');
}

module.exports = { createTracing, getEnabledCategories };
