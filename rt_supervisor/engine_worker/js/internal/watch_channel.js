// @ts-check
'use strict';
// Owns: the variables that pass the watch channel to forked children, so that they report their files as well. On this
// channel a program reports its files to an rt that watches them (`rt_supervisor/vocabulary/load_report.py`).

const startValues = require('internal/start_values');
const runtimeParts = require('internal/parts');

const VARIABLE = '_RT_WATCH_CHANNEL'; // load_report.CHANNEL

/** The variables for a child that runs `file`, as `NAME=value`; none if rt does not watch, or `file` is another program. */
function reportingPairs(file) {
  const isFollowed = startValues.watchChannel !== '' && file === runtimeParts.process?.process.execPath;
  return isFollowed ? [`${VARIABLE}=${startValues.watchChannel}`] : [];
}

module.exports = { VARIABLE, reportingPairs };
