'use strict';
// Owns: the client side of a stream: the interpretation of incoming header blocks.

const { ArrayFlatMap } = require('internal/primordials');
const { Http2Stream } = require('node/http2/stream');
const { objectOf } = require('node/http2/headers');
const { publish } = require('node/http2/diagnostics');

class ClientHttp2Stream extends Http2Stream {
  response; // the response headers, once they have arrived

  headers(fields, flags, isEnd) {
    const raw = ArrayFlatMap(fields, ({ 0: name, 1: value }) => [name, value]);
    const headers = objectOf(fields);
    const status = headers[':status'];
    if (status === undefined) {
      this.later(() => this.emit('trailers', headers, flags, raw));
      return;
    }
    if (status < 200) {
      this.later(() => {
        if (status === 100) this.emit('continue');
        this.emit('headers', headers, flags, raw);
      });
      return;
    }
    this.response = headers;
    if (status === 421) this.session?.removeOrigin(this.sentHeaders?.[':authority']);
    this.endAfterHeaders = isEnd;
    this.later(() => {
      if (!this.emit(this.event ?? 'response', headers, flags, raw) && isEnd) this.resume();
    });
    publish(this, 'finish', () => ({ headers, flags }));
  }
}

module.exports = { ClientHttp2Stream };
