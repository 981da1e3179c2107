'use strict';
// Owns: the socket options of dgram.Socket: TTL, multicast groups, buffer sizes.

const {
  NumberIsInteger,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptors,
  intact,
} = require('internal/primordials');
const native = host.native;
const { codes, errnoException } = require('internal/errors/errors');
const { validateNumber, validateString } = require('internal/validators');

const kDescriptor = Symbol('kDescriptor');
const kCheck = Symbol('kCheck');
const kSet = Symbol('kSet');
const kGroup = Symbol('kGroup');
const kBuffer = Symbol('kBuffer');
const EBADF = -9;
const INT32_MAX = 0x7fffffff;

class Options {
  [kSet](name, syscall, value) {
    this[kCheck](false);
    const outcome = this[kDescriptor]() < 0 ? EBADF : native.dgram_setOption(this[kDescriptor](), name, value);
    if (outcome < 0) throw errnoException(outcome, syscall);
  }

  setBroadcast(on) {
    this[kSet]('broadcast', 'setBroadcast', on ? 1 : 0);
  }

  setTTL(ttl) {
    validateNumber(ttl, 'ttl');
    this[kSet]('ttl', 'setTTL', ttl);
    return ttl;
  }

  setMulticastTTL(ttl) {
    validateNumber(ttl, 'ttl');
    this[kSet]('multicastTtl', 'setMulticastTTL', ttl);
    return ttl;
  }

  setMulticastLoopback(on) {
    this[kSet]('multicastLoopback', 'setMulticastLoopback', on ? 1 : 0);
    return on;
  }

  [kGroup](operation, syscall, ...args) {
    const descriptor = this[kDescriptor]();
    const outcome = descriptor < 0 ? unbound(this.type, operation, args) : native[operation](descriptor, ...intact(args));
    if (outcome < 0) throw errnoException(outcome, syscall);
  }

  setMulticastInterface(interfaceAddress) {
    this[kCheck](false);
    validateString(interfaceAddress, 'interfaceAddress');
    this[kGroup]('dgram_multicastInterface', 'setMulticastInterface', interfaceAddress);
  }

  addMembership(multicastAddress, interfaceAddress) {
    this[kCheck](false);
    if (!multicastAddress) throw new codes.ERR_MISSING_ARGS('multicastAddress');
    this[kCheck](true);
    this[kGroup]('dgram_membership', 'addMembership', `${multicastAddress}`, interfaceAddress ?? '', true);
  }

  dropMembership(multicastAddress, interfaceAddress) {
    this[kCheck](false);
    if (!multicastAddress) throw new codes.ERR_MISSING_ARGS('multicastAddress');
    this[kGroup]('dgram_membership', 'dropMembership', `${multicastAddress}`, interfaceAddress ?? '', false);
  }

  addSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    this[kCheck](false);
    validateString(sourceAddress, 'sourceAddress');
    validateString(groupAddress, 'groupAddress');
    this[kCheck](true);
    this[kGroup](
      'dgram_sourceMembership',
      'addSourceSpecificMembership',
      sourceAddress,
      groupAddress,
      interfaceAddress ?? '',
      true,
    );
  }

  dropSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    this[kCheck](false);
    validateString(sourceAddress, 'sourceAddress');
    validateString(groupAddress, 'groupAddress');
    this[kGroup](
      'dgram_sourceMembership',
      'dropSourceSpecificMembership',
      sourceAddress,
      groupAddress,
      interfaceAddress ?? '',
      false,
    );
  }

  [kBuffer](which, size) {
    if (size !== 0 && !(size > 0 && size <= INT32_MAX && NumberIsInteger(size))) throw new codes.ERR_SOCKET_BAD_BUFFER_SIZE();
    const outcome = this[kDescriptor]() < 0 ? EBADF : native.dgram_bufferSize(this[kDescriptor](), which, size);
    if (outcome >= 0) return outcome;
    const syscall = which === 'receive' ? 'uv_recv_buffer_size' : 'uv_send_buffer_size';
    throw bufferError(outcome, syscall);
  }

  setRecvBufferSize(size) {
    this[kBuffer]('receive', checkSize(size));
  }
  setSendBufferSize(size) {
    this[kBuffer]('send', checkSize(size));
  }
  getRecvBufferSize() {
    return this[kBuffer]('receive', 0);
  }
  getSendBufferSize() {
    return this[kBuffer]('send', 0);
  }
}

/** The error of an operation on an unbound socket: invalid addresses are reported first, as in Node. */
function unbound(type, operation, args) {
  const descriptor = native.dgram_open(type === 'udp6' ? 6 : 4, { reuseAddr: false, reusePort: false, ipv6Only: false });
  if (descriptor < 0) return descriptor;
  const outcome = native[operation](descriptor, ...intact(args));
  native.dgram_close(descriptor);
  return outcome < 0 ? outcome : EBADF;
}

function bufferError(errno, syscall) {
  const { getSystemErrorMessage, getSystemErrorName } = require('internal/errors/errno');
  const code = getSystemErrorName(errno);
  const text = getSystemErrorMessage(errno);
  const error = new Error(`Could not get or set buffer size: ${syscall} returned ${code} (${text})`);
  ObjectDefineProperty(error, 'name', { __proto__: null, value: 'SystemError', writable: true, configurable: true });
  return ObjectAssign(error, { code: 'ERR_SOCKET_BUFFER_SIZE', info: { errno, code, message: text, syscall }, errno, syscall });
}

function checkSize(size) {
  if (!(size > 0)) throw new codes.ERR_SOCKET_BAD_BUFFER_SIZE();
  return size;
}

const optionMethods = ObjectGetOwnPropertyDescriptors(Options.prototype);
delete optionMethods.constructor;

module.exports = { kCheck, kDescriptor, optionMethods };
