'use strict';
// Owns: the arguments of node:dgram: options, ports, and the signatures of `send`.

const {
  ArrayBufferIsView,
  ArrayEvery,
  ArrayIsArray,
  ArrayMap,
  ObjectAssign,
  StringTrim,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { Buffer } = require('node/buffer/buffer');
const { asBuffer } = require('node/buffer/views');
const { validateAbortSignal, validateBoolean, validateFunction, validateNumber } = require('internal/validators');

/** The settings of a new socket: `type` and the other options. */
function socketOptions(type) {
  const options = typeof type === 'object' && type !== null ? type : { type };
  if (options.type !== 'udp4' && options.type !== 'udp6') throw new codes.ERR_SOCKET_BAD_TYPE();
  const { lookup, recvBufferSize, sendBufferSize, signal, receiveBlockList, sendBlockList } = options;
  if (lookup !== undefined) validateFunction(lookup, 'lookup');
  if (recvBufferSize !== undefined) validateNumber(recvBufferSize, 'options.recvBufferSize');
  if (sendBufferSize !== undefined) validateNumber(sendBufferSize, 'options.sendBufferSize');
  for (const { 0: name, 1: list } of intact([
    ['receiveBlockList', receiveBlockList],
    ['sendBlockList', sendBlockList],
  ])) {
    const { BlockList } = require('node/net/blocklist');
    if (list !== undefined && !BlockList.isBlockList(list))
      throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, 'net.BlockList', list);
  }
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  for (const name of intact(['reuseAddr', 'reusePort', 'ipv6Only']))
    if (options[name] === null) validateBoolean(options[name], `options.${name}`);
  return options;
}

function validPort(value, isZeroAllowed = false) {
  const isText = typeof value === 'string' && StringTrim(value) !== '';
  const isRight =
    (typeof value === 'number' || isText) && +value === +value >>> 0 && value <= 0xffff && (isZeroAllowed || +value !== 0);
  if (!isRight) throw new codes.ERR_SOCKET_BAD_PORT('Port', value, isZeroAllowed);
  return Number(value);
}

const KINDS = ['string', 'Buffer', 'TypedArray', 'DataView'];

function slice(buffer, offset, length) {
  const bytes = typeof buffer === 'string' ? Buffer.from(buffer) : ArrayBufferIsView(buffer) ? buffer : undefined;
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE('buffer', KINDS, buffer);
  const from = offset >>> 0;
  const size = length >>> 0;
  if (from > bytes.byteLength) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (from + size > bytes.byteLength) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, size);
}

const view = (part) => (typeof part === 'string' ? Buffer.from(part) : asBuffer(part));

function wholeOf(message) {
  if (!ArrayIsArray(message)) {
    if (typeof message !== 'string' && !ArrayBufferIsView(message))
      throw new codes.ERR_INVALID_ARG_TYPE('buffer', KINDS, message);
    return Buffer.from(view(message)); // later changes by the program are not sent
  }
  if (!ArrayEvery(message, (part) => typeof part === 'string' || ArrayBufferIsView(part))) {
    throw new codes.ERR_INVALID_ARG_TYPE('buffer list arguments', KINDS, message);
  }
  return Buffer.concat(ArrayMap(message, view));
}

/** { data, port, address, callback } from the arguments of `send`. */
function sendArguments(args, isConnected) {
  let [message, offset, length, port, address, callback] = intact(args);
  const isCut = isConnected ? typeof length === 'number' : address || (port && typeof port !== 'function');
  if (isCut) {
    message = slice(message, offset, length);
    if (isConnected && typeof port === 'function') [port, callback] = intact([undefined, port]);
  } else if (isConnected) callback = offset;
  else [port, address, callback] = intact([offset, length, port]);
  if (isConnected && (port || address)) throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
  const data = wholeOf(message);
  if (typeof callback !== 'function') callback = undefined;
  if (!isConnected) port = validPort(port);
  if (typeof address === 'function') [callback, address] = intact([address, undefined]);
  else if (address !== undefined && address !== null && typeof address !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('address', ['string'], address);
  }
  return { data, port, address: address ?? undefined, callback };
}

/** The error for an address in the socket's block list. */
const blockedError = (address) =>
  ObjectAssign(new Error(`IP(${address}) is blocked by net.BlockList`), { code: 'ERR_IP_BLOCKED' });

module.exports = { blockedError, socketOptions, validPort, sendArguments };
