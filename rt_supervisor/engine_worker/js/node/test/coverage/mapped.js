'use strict';
// Owns: conversion of counts of compiled code to counts of its source: both ends of a range move to the location in the
// source map. A range whose ends are in two sources, or in none, is dropped.

const { ArrayIsArray, ArrayMap, ArrayPush, MathMin, JSONParse, MapGet, MapHas, MapSet } = require('internal/primordials');
const { placeOf } = require('node/test/coverage/lines');

/** The start offsets of the running code's lines, from their lengths. */
function startsOf(lengths) {
  let offset = 0;
  return ArrayMap(lengths, (length) => {
    const start = offset;
    offset += length + 1;
    return { start };
  });
}

/**
 * Groups `functions` of the running code by their source: a Map of URL to functions. `linesOfSource(url, content)` returns
 * the lines of a source, or undefined.
 */
function mappedFunctions(functions, { data, lineLengths }, linesOfSource) {
  const { SourceMap } = require('node/module/source_maps');
  const map = new SourceMap(typeof data === 'string' ? JSONParse(data) : data);
  const starts = startsOf(lineLengths);
  const contents = new Map();
  if (ArrayIsArray(data.sourcesContent)) {
    for (let index = 0; index < data.sources.length; index++) MapSet(contents, data.sources[index], data.sourcesContent[index]);
  }
  const originalPlace = (offset) => {
    const line = placeOf(starts, offset);
    const column = offset - starts[line].start;
    const entry = map.findEntry(line, column);
    if (entry.originalSource === undefined) return undefined;
    const url = entry.originalSource;
    const lines = linesOfSource(url, MapGet(contents, url));
    const original = lines?.[entry.originalLine];
    if (original === undefined) return undefined;
    const shift = entry.generatedLine === line ? column - entry.generatedColumn : 0;
    return { url, offset: MathMin(original.end, original.start + entry.originalColumn + shift), isExact: shift === 0 };
  };
  // A range ends where the next mapped code begins, if the map knows that location; else after its last character.
  const placedEnd = (startOffset, endOffset) => {
    const last = originalPlace(endOffset > startOffset ? endOffset - 1 : endOffset);
    const next = originalPlace(endOffset);
    if (last === undefined || next?.url !== last.url || !next.isExact || next.offset <= last.offset) {
      return last && { url: last.url, offset: last.offset + 1 };
    }
    return next;
  };
  const byUrl = new Map();
  for (let place = 0; place < functions.length; place++) {
    const { functionName, isBlockCoverage, ranges } = functions[place];
    let url;
    const mappedRanges = [];
    for (let index = 0; index < ranges.length; index++) {
      const { startOffset, endOffset, count } = ranges[index];
      const start = originalPlace(startOffset);
      const end = placedEnd(startOffset, endOffset);
      if (start === undefined || end === undefined || start.url !== end.url) continue;
      url ??= start.url;
      const isWhole = place === 0 && index === 0;
      const lines = linesOfSource(start.url, MapGet(contents, start.url));
      ArrayPush(mappedRanges, {
        startOffset: isWhole ? 0 : start.offset,
        endOffset: isWhole ? lines[lines.length - 1].end : end.offset,
        count,
      });
    }
    if (url === undefined) continue;
    if (!MapHas(byUrl, url)) MapSet(byUrl, url, []);
    ArrayPush(MapGet(byUrl, url), { functionName, isBlockCoverage, ranges: mappedRanges });
  }
  return byUrl;
}

module.exports = { mappedFunctions };
