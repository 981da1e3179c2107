// @ts-check
'use strict';
// Owns: the channel on which a program reports its files to a watching rt, as it is passed to forked children: these report
// theirs as well (`rt_supervisor/vocabulary/load_report.py`).

const startValues = require('internal/start_values');
const runtimeParts = require('internal/parts');

const VARIABLE = '_RT_WATCH_CHANNEL'; // load_report.CHANNEL

/** The variables for a child that runs `file`, as `NAME=value`; none if rt does not watch, or `file` is another program. */
function reportingPairs(file) {
  const isFollowed = startValues.watchChannel !== '' && file === runtimeParts.process?.process.execPath;
  return isFollowed ? [`${VARIABLE}=${startValues.watchChannel}`] : [];
}

module.exports = { VARIABLE, reportingPairs };
