// @ts-check
'use strict';
// Owns: the compatibility API: node:http's events, such as 'request', for the streams of an HTTP/2 server.

const { RegExpTest } = require('internal/primordials');
const { Http2ServerRequest } = require('node/http2/compat_request');
const { Http2ServerResponse } = require('node/http2/compat_response');

/** The 'stream' listener that emits node:http's events. */
function onStream(server, options) {
  const Request = options.Http2ServerRequest ?? Http2ServerRequest;
  const Response = options.Http2ServerResponse ?? Http2ServerResponse;
  return (stream, headers, flags, rawHeaders) => {
    const request = new Request(stream, headers, undefined, rawHeaders);
    stream.compatRequest = request;
    const response = new Response(stream);
    const { expect } = headers;
    if (headers[':method'] === 'CONNECT') {
      if (!server.emit('connect', request, response)) {
        response.statusCode = 405;
        response.end();
      }
    } else if (expect !== undefined) {
      if (RegExpTest(/^100-continue$/i, expect)) {
        if (server.listenerCount('checkContinue') > 0) server.emit('checkContinue', request, response);
        else {
          response.writeContinue();
          server.emit('request', request, response);
        }
      } else if (server.listenerCount('checkExpectation') > 0) server.emit('checkExpectation', request, response);
      else {
        response.statusCode = 417;
        response.end();
      }
    } else server.emit('request', request, response);
  };
}

module.exports = { Http2ServerRequest, Http2ServerResponse, onStream };
