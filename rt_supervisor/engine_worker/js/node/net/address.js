'use strict';
// Owns: whether a text is an IP address, and of which kind; and addresses as numbers.

const { RegExpTest, StringIncludes, StringSplit } = require('internal/primordials');

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;
const ZONE = /^[0-9a-zA-Z\-.:]+$/;

const isIPv4 = (text) => RegExpTest(V4, `${text}`);

/** The eight groups of an IPv6 address, undefined for what is none. */
function groupsOf(text) {
  if (!StringIncludes(text, ':')) return undefined;
  let head = text;
  const tail = [];
  const lastColon = text.lastIndexOf(':');
  const last = text.slice(lastColon + 1);
  if (last.includes('.')) {
    if (!isIPv4(last)) return undefined;
    const [a, b, c, d] = last.split('.').map(Number);
    tail.push(a * 256 + b, c * 256 + d);
    head = text.slice(0, lastColon + 1);
    head = head.endsWith('::') ? head : head.slice(0, -1);
  }
  const halves = head.split('::');
  if (halves.length > 2) return undefined;
  const parse = (half) =>
    half === '' ? [] : half.split(':').map((group) => (/^[0-9a-fA-F]{1,4}$/.test(group) ? parseInt(group, 16) : NaN));
  const first = parse(halves[0]);
  const second = halves.length === 2 ? [...parse(halves[1]), ...tail] : tail;
  if ([...first, ...second].some(Number.isNaN)) return undefined;
  const missing = 8 - first.length - second.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  return halves.length === 2 ? [...first, ...new Array(missing).fill(0), ...second] : [...first, ...second];
}

function isIPv6(text) {
  const [address, ...zone] = StringSplit(`${text}`, '%');
  if (zone.length > 1 || (zone.length === 1 && !ZONE.test(zone[0]))) return false;
  return groupsOf(address) !== undefined;
}

const isIP = (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);

/** An address as a whole number; IPv4 addresses within IPv6 are what they stand for. */
function numberOf(text) {
  if (isIPv4(text)) return { family: 'ipv4', number: text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
  const groups = groupsOf(text.split('%')[0]);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return { family: 'ipv4', number: BigInt(groups[6]) * 65536n + BigInt(groups[7]) };
  }
  return { family: 'ipv6', number: groups.reduce((sum, group) => sum * 65536n + BigInt(group), 0n) };
}

module.exports = { isIP, isIPv4, isIPv6, groupsOf, numberOf };
