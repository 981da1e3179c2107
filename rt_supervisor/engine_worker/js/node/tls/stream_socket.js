'use strict';
// Owns: a net.Socket over any Duplex. Programs get the class from a TLS socket over such a stream:
// `tlsSocket._handle._parentWrap.constructor`.

const { Socket } = require('node/net/socket');
const { StreamTransport } = require('node/tls/transport');

class JSStreamSocket extends Socket {
  constructor(stream) {
    super({ handle: new StreamTransport(stream) });
    this.stream = stream;
    stream.on('error', (error) => this.destroy(error));
    stream.once('close', () => this.destroy());
  }
}

module.exports = { JSStreamSocket };
