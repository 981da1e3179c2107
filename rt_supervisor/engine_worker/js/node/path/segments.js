// @ts-check
'use strict';
// Owns: the segments of posix and win32 paths: dot segments, base names, extensions and format.

const { ArrayPop, ArrayPush, StringEndsWith, StringLastIndexOf, StringSlice } = require('internal/primordials');
const { validateObject, validateString } = require('internal/validators');

/** Resolves `.` and `..`; a leading `..` stays unless the path is absolute. */
function normalizeSegments(segments, isAbsolute) {
  const result = [];
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i];
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') ArrayPush(result, segment);
    else if (result.length > 0 && result[result.length - 1] !== '..') ArrayPop(result);
    else if (!isAbsolute) ArrayPush(result, '..');
  }
  return result;
}

/** The range [start, end) of the last segment, without trailing separators. */
function lastSegment(path, start, isSeparator) {
  let end = path.length;
  while (end > start && isSeparator(path, end - 1)) end--;
  let begin = end;
  while (begin > start && !isSeparator(path, begin - 1)) begin--;
  return [begin, end];
}

/** The end of the directory part: the separator before the last segment; -1 if there is none after `start`. */
function directoryEnd(path, start, isSeparator) {
  const { 0: begin } = lastSegment(path, start, isSeparator);
  return begin > start ? begin - 1 : -1;
}

/** The extension of a base name: from the last dot, unless that is the first character or the name is `..`. */
function extensionOf(base) {
  const dot = StringLastIndexOf(base, '.');
  return dot <= 0 || base === '..' ? '' : StringSlice(base, dot);
}

function basename(path, suffix, start, isSeparator) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  const { 0: begin, 1: end } = lastSegment(path, start(path), isSeparator);
  const base = StringSlice(path, begin, end);
  if (suffix === undefined || suffix === '' || suffix.length > path.length) return base;
  if (suffix === path) return '';
  if (StringEndsWith(base, suffix)) return base.length > suffix.length ? StringSlice(base, 0, -suffix.length) : base;
  // As in Node, a suffix longer than the name but ending in it leaves the trailing separators.
  return StringEndsWith(suffix, base) ? StringSlice(path, begin) : base;
}

function format(separator, pathObject) {
  validateObject(pathObject, 'pathObject');
  const dir = pathObject.dir || pathObject.root;
  const { ext } = pathObject;
  const dot = ext && ext[0] !== '.' ? '.' : '';
  const base = pathObject.base || `${pathObject.name || ''}${ext ? `${dot}${ext}` : ''}`;
  if (!dir) return base;
  return dir === pathObject.root ? `${dir}${base}` : `${dir}${separator}${base}`;
}

module.exports = { normalizeSegments, lastSegment, directoryEnd, extensionOf, basename, format };
