'use strict';
// Owns: net.SocketAddress and net.BlockList: addresses, ranges and subnets, and membership tests.

const { AnyToString } = require('internal/any_kind');
const {
  ArrayEvery,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayReverse,
  ArraySlice,
  ArraySome,
  ArrayUnshift,
  JSONParse,
  MathMax,
  RegExpExec,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateInt32, validateObject, validatePort, validateString, validateUint32 } = require('internal/validators');
const { groupsOf, isIPv4, isIPv6, numberOf } = require('node/net/address');

const custom = SymbolFor('nodejs.util.inspect.custom');
const BITS = { ipv4: 32, ipv6: 128 };

function familyOf(family, name = 'options.family') {
  if (typeof family?.toLowerCase === 'function') family = StringToLowerCase(family);
  if (family !== 'ipv4' && family !== 'ipv6') throw new codes.ERR_INVALID_ARG_VALUE(name, family);
  return family;
}

/** The shortest form of an IPv6 address. */
function compressAddress(text) {
  const { 0: address, 1: zone } = StringSplit(text, '%');
  const groups = groupsOf(address);
  const tag = zone === undefined ? '' : `%${zone}`;
  const isMapped = ArrayEvery(ArraySlice(groups, 0, 5), (group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return `::ffff:${ArrayJoin([groups[6] >> 8, groups[6] & 255, groups[7] >> 8, groups[7] & 255], '.')}`;
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = ArrayMap(groups, (group) => AnyToString(group, 16));
  if (best.start < 0) return ArrayJoin(hex, ':') + tag;
  return `${ArrayJoin(ArraySlice(hex, 0, best.start), ':')}::${ArrayJoin(ArraySlice(hex, best.start + best.length), ':')}${tag}`;
}

class SocketAddress {
  #address;
  #port;
  #family;
  #flowlabel;

  static isSocketAddress(value) {
    return typeof value === 'object' && value !== null && #address in value;
  }

  static parse(input) {
    validateString(input, 'input');
    try {
      const { hostname, port } = new (require('web/url/class').URL)(`http://${input}`);
      if (StringStartsWith(hostname, '['))
        return new SocketAddress({ address: StringSlice(hostname, 1, -1), family: 'ipv6', port: Number(port) || 0 });
      if (isIPv4(hostname)) return new SocketAddress({ address: hostname, port: Number(port) || 0 });
    } catch {
      return undefined;
    }
    return undefined;
  }

  constructor(options = {}) {
    validateObject(options, 'options');
    const family = familyOf(options.family ?? 'ipv4');
    const { address = family === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel');
    if (family === 'ipv4' ? !isIPv4(address) : !isIPv6(address)) throw new codes.ERR_INVALID_ADDRESS();
    this.#address = family === 'ipv4' ? address : compressAddress(address);
    this.#family = family;
    this.#port = port | 0;
    this.#flowlabel = flowlabel;
  }

  get address() {
    return this.#address;
  }
  get port() {
    return this.#port;
  }
  get family() {
    return this.#family;
  }
  get flowlabel() {
    return this.#family === 'ipv6' ? this.#flowlabel : 0;
  }
  toJSON() {
    return { address: this.address, port: this.port, family: this.family, flowlabel: this.flowlabel };
  }
  [custom](depth, options) {
    if (depth < 0) return this;
    return `SocketAddress ${require('internal/inspect/inspect').inspect(this.toJSON(), options)}`;
  }
}

class BlockList {
  #addresses = []; // { family, first, last, text }, newest first
  #ranges = [];

  static isBlockList(value) {
    return typeof value === 'object' && value !== null && #addresses in value;
  }

  static sharing(list) {
    const other = new BlockList();
    other.#addresses = list.#addresses;
    other.#ranges = list.#ranges;
    return other;
  }

  #toAddress(address, family, name) {
    if (SocketAddress.isSocketAddress(address)) return address;
    validateString(address, name);
    return new SocketAddress({ address, family: familyOf(family, 'family') });
  }
  static #title(family) {
    return family === 'ipv4' ? 'IPv4' : 'IPv6';
  }

  addAddress(address, family = 'ipv4') {
    const checked = this.#toAddress(address, family, 'address');
    const { number, family: kind } = numberOf(checked.address);
    ArrayUnshift(this.#addresses, {
      family: kind,
      first: number,
      last: number,
      text: `Address: ${BlockList.#title(checked.family)} ${checked.address}`,
    });
  }

  addRange(start, end, family = 'ipv4') {
    const from = this.#toAddress(start, family, 'start');
    const to = this.#toAddress(end, family, 'end');
    const { 0: first, 1: last } = [numberOf(from.address), numberOf(to.address)];
    if (first.number > last.number) throw new codes.ERR_INVALID_ARG_VALUE('start', from, 'must come before end');
    ArrayUnshift(this.#ranges, {
      family: first.family,
      first: first.number,
      last: last.number,
      text: `Range: ${BlockList.#title(from.family)} ${from.address}-${to.address}`,
    });
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const checked = this.#toAddress(network, family, 'network');
    validateInt32(prefix, 'prefix', 0, BITS[checked.family]);
    const { number, family: kind } = numberOf(checked.address);
    const bits = kind === checked.family ? BITS[kind] - prefix : MathMax(0, 128 - prefix);
    const size = 1n << BigInt(bits);
    const first = number - (number % size);
    ArrayUnshift(this.#ranges, {
      family: kind,
      first,
      last: first + size - 1n,
      text: `Subnet: ${BlockList.#title(checked.family)} ${checked.address}/${prefix}`,
    });
  }

  check(address, family = 'ipv4') {
    let checked;
    if (SocketAddress.isSocketAddress(address)) {
      checked = address;
    } else {
      validateString(address, 'address');
      family = familyOf(family, 'family');
      if (family === 'ipv4' ? !isIPv4(address) : !isIPv6(address)) return false;
      checked = new SocketAddress({ address, family });
    }
    const { family: kind, number } = numberOf(checked.address);
    return ArraySome(this.#all, (rule) => rule.family === kind && rule.first <= number && number <= rule.last);
  }

  get #all() {
    return [...intact(this.#addresses), ...intact(this.#ranges)];
  }
  get rules() {
    return ArrayMap(this.#all, (rule) => rule.text);
  }
  toJSON() {
    return this.rules;
  }
  fromJSON(data) {
    if (typeof data === 'string') data = JSONParse(data);
    if (!ArrayIsArray(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Array'], data);
    for (const text of intact(ArrayReverse([...intact(data)]))) {
      const [, kind, family, rest] = intact(RegExpExec(/^(Address|Range|Subnet): (IPv[46]) (.*)$/, text) ?? []);
      if (kind === 'Address') this.addAddress(rest, family);
      else if (kind === 'Range') this.addRange(...intact(StringSplit(rest, '-')), family);
      else if (kind === 'Subnet') this.addSubnet(StringSplit(rest, '/')[0], Number(StringSplit(rest, '/')[1]), family);
      else throw new codes.ERR_INVALID_ARG_VALUE('data', data);
    }
  }
  [custom](depth, options) {
    if (depth < 0) return this;
    return `BlockList ${require('internal/inspect/inspect').inspect({ rules: this.rules }, options)}`;
  }
}

const { registerSerializable } = require('internal/cloneable');
registerSerializable(
  SocketAddress.isSocketAddress,
  (address) => new SocketAddress(address.toJSON()),
  'SocketAddress',
  (address) => ({ ...address.toJSON() }),
);
const { sharing } = BlockList;
delete BlockList.sharing;
// A clone shares its rules with the original; in another thread it has a copy of them.
registerSerializable(BlockList.isBlockList, sharing, 'BlockList', (list) => [...intact(list.rules)]);

/** Recreates an address or a list received from another thread. */
function unpack(kind, { facts }) {
  if (kind === 'SocketAddress') return new SocketAddress(facts);
  const list = new BlockList();
  list.fromJSON(facts);
  return list;
}

module.exports = { BlockList, SocketAddress, unpack };
