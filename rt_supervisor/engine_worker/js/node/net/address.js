'use strict';
// Owns: IP address validation and classification, and addresses as integers.

const { AnySlice } = require('internal/any_kind');
const {
  ArrayEvery,
  ArrayFill,
  ArrayMap,
  ArrayPush,
  ArrayReduce,
  ArraySlice,
  ArraySome,
  NumberIsNaN,
  RegExpTest,
  StringEndsWith,
  StringIncludes,
  StringLastIndexOf,
  StringSlice,
  StringSplit,
  intact,
} = require('internal/primordials');

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;
const ZONE = /^[0-9a-zA-Z\-.:]+$/;

const isIPv4 = (text) => RegExpTest(V4, `${text}`);

/** The eight groups of an IPv6 address; undefined if it is invalid. */
function groupsOf(text) {
  if (!StringIncludes(text, ':')) return undefined;
  let head = text;
  const tail = [];
  const lastColon = StringLastIndexOf(text, ':');
  const last = StringSlice(text, lastColon + 1);
  if (StringIncludes(last, '.')) {
    if (!isIPv4(last)) return undefined;
    const { 0: a, 1: b, 2: c, 3: d } = ArrayMap(StringSplit(last, '.'), Number);
    ArrayPush(tail, a * 256 + b, c * 256 + d);
    head = StringSlice(text, 0, lastColon + 1);
    head = StringEndsWith(head, '::') ? head : AnySlice(head, 0, -1);
  }
  const halves = StringSplit(head, '::');
  if (halves.length > 2) return undefined;
  const parse = (half) =>
    half === ''
      ? []
      : ArrayMap(StringSplit(half, ':'), (group) => (RegExpTest(/^[0-9a-fA-F]{1,4}$/, group) ? parseInt(group, 16) : NaN));
  const first = parse(halves[0]);
  const second = halves.length === 2 ? [...intact(parse(halves[1])), ...intact(tail)] : tail;
  if (ArraySome([...intact(first), ...intact(second)], NumberIsNaN)) return undefined;
  const missing = 8 - first.length - second.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  return halves.length === 2
    ? [...intact(first), ...intact(ArrayFill(new Array(missing), 0)), ...intact(second)]
    : [...intact(first), ...intact(second)];
}

function isIPv6(text) {
  const [address, ...zone] = intact(StringSplit(`${text}`, '%'));
  if (zone.length > 1 || (zone.length === 1 && !RegExpTest(ZONE, zone[0]))) return false;
  return groupsOf(address) !== undefined;
}

const isIP = (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);

/** An address as an integer; an IPv4-mapped IPv6 address counts as the IPv4 address. */
function numberOf(text) {
  if (isIPv4(text))
    return { family: 'ipv4', number: ArrayReduce(StringSplit(text, '.'), (sum, part) => sum * 256n + BigInt(part), 0n) };
  const groups = groupsOf(StringSplit(text, '%')[0]);
  if (ArrayEvery(ArraySlice(groups, 0, 5), (group) => group === 0) && groups[5] === 0xffff) {
    return { family: 'ipv4', number: BigInt(groups[6]) * 65536n + BigInt(groups[7]) };
  }
  return { family: 'ipv6', number: ArrayReduce(groups, (sum, group) => sum * 65536n + BigInt(group), 0n) };
}

module.exports = { isIP, isIPv4, isIPv6, groupsOf, numberOf };
