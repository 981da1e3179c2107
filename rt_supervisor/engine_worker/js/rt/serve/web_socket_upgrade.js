// @ts-check
'use strict';
// Owns: the handshake that upgrades a request of RT.serve to a web socket.

const { ArrayIsArray, ArraySome, RegExpReplace, RegExpTest, StringSplit, StringTrim, intact } = require('internal/primordials');
const { createCodec } = require('node/websocket/deflate');
const { ServerWebSocket, Wire } = require('rt/serve/web_sockets');

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

function upgrade(server, exchange, headers, data) {
  const key = exchange.header('sec-websocket-key');
  const isGood =
    exchange.method === 'GET' &&
    RegExpTest(/(?:^|,)\s*websocket\s*(?:,|$)/i, exchange.header('upgrade') ?? '') &&
    key !== undefined &&
    RegExpTest(/^[A-Za-z0-9+/]{22}==$/, StringTrim(key)) &&
    StringTrim(exchange.header('sec-websocket-version') ?? '') === '13';
  if (!isGood || exchange.isAnswered) return false;
  const options = server.webSockets;
  let head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(StringTrim(key))}\r\n`;
  let hasProtocol = false;
  for (const {
    0: lower,
    1: { name, value },
  } of intact(headers ?? [])) {
    if (lower === 'sec-websocket-protocol') hasProtocol = true;
    for (const each of intact(ArrayIsArray(value) ? value : [value])) head += `${name}: ${each}\r\n`;
  }
  const protocols = exchange.header('sec-websocket-protocol');
  if (!hasProtocol && protocols !== undefined)
    head += `Sec-WebSocket-Protocol: ${StringTrim(StringSplit(protocols, ',')[0])}\r\n`;
  let squeeze;
  if (options.squeezes && ArraySome(StringSplit(exchange.header('sec-websocket-extensions') ?? '', ','), isOfferTaken)) {
    squeeze = createCodec();
    head += 'Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover\r\n';
  }
  const { connection } = exchange;
  const wire = new Wire(server, connection, options, squeeze);
  new ServerWebSocket(wire, data);
  if (!connection.upgrade(exchange, `${head}\r\n`, wire)) return false;
  connection.source.setIdleLimit(connection.number, 0);
  wire.open();
  return true;
}

/** Returns whether a compression offer (permessage-deflate) does not limit this side's window. */
const isOfferTaken = (offer) =>
  RegExpTest(/^permessage-deflate(?:;|$)/i, RegExpReplace(/\s/g, offer, '')) && !RegExpTest(/server_max_window_bits/i, offer);

function acceptOf(key) {
  return require('node/module/builtins')
    .load('crypto')
    .createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');
}

module.exports = { upgrade };
