'use strict';
// Owns: questions with conditions (RFC 9110 §13, §14): whether the client's copy is good, and which part it asks for.

const weakTag = (size, modifiedMs) => `W/"${size.toString(16)}-${Math.floor(modifiedMs).toString(16)}"`;
const bare = (tag) => tag.trim().replace(/^W\//, '');

/** Whether the client wants an answer only of something else than there is. */
function isRefused(exchange, tag, modified) {
  const match = exchange.header('if-match');
  if (match !== undefined)
    return match.trim() !== '*' && (tag.startsWith('W/') || !match.split(',').some((each) => each.trim() === tag));
  const since = Date.parse(exchange.header('if-unmodified-since') ?? '');
  return modified !== undefined && !Number.isNaN(since) && Math.floor(Date.parse(modified) / 1000) > Math.floor(since / 1000);
}

/** Whether what the client has is what it would get. */
function isFresh(exchange, tag, modified) {
  const match = exchange.header('if-none-match');
  if (match !== undefined) return match.trim() === '*' || match.split(',').some((each) => bare(each) === bare(tag));
  const since = Date.parse(exchange.header('if-modified-since') ?? '');
  return modified !== undefined && !Number.isNaN(since) && Math.floor(Date.parse(modified) / 1000) <= Math.floor(since / 1000);
}

/** [start, end) of the one range asked for; undefined where all of it is meant, null where there is no such part. */
function rangeOf(exchange, size, tag, modified) {
  const text = exchange.header('range');
  if (text === undefined) return undefined;
  const condition = exchange.header('if-range');
  if (condition !== undefined && condition !== modified && (condition.startsWith('W/') || condition !== tag)) return undefined;
  const found = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)$/i.exec(text.trim());
  if (found === null || (found[1] === '' && found[2] === '')) return undefined; // several, or no range at all
  if (found[1] === '') {
    const count = Math.min(Number(found[2]), size);
    return count === 0 ? null : [size - count, size];
  }
  const start = Number(found[1]);
  const end = found[2] === '' ? size : Math.min(Number(found[2]) + 1, size);
  if (start >= size) return null;
  return start >= end ? undefined : [start, end];
}

module.exports = { weakTag, isRefused, isFresh, rangeOf };
