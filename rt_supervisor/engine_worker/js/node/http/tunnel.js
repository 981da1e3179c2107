'use strict';
// Owns: tunnels through a proxy: the CONNECT request and the proxy's response. The caller owns the tunnelled data.

const { RegExpExec } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { HttpParser } = require('internal/http_parser');

/**
 * Requests a tunnel to `endpoint` (host:port) and calls `done(error)` once, after removing all of its listeners from the
 * socket. `lines` are additional lines of the request, `via` names the proxy in errors.
 */
function openTunnel(socket, { endpoint, lines = '', via, timeoutMs }, done) {
  const parser = new HttpParser(true);
  parser.answers('CONNECT');
  const reply = { status: 0, line: '' };
  const receiver = {
    head(status, reason, version) {
      reply.status = status;
      reply.line = `HTTP/${(version - (version % 10)) / 10}.${version % 10} ${status} ${reason}`;
    },
    body() {},
    end() {},
  };
  const finish = (error, rest = undefined) => {
    socket.off('data', onData);
    socket.off('end', onEnd);
    socket.off('close', onEnd);
    socket.off('error', finish);
    socket.off('timeout', onTimeout);
    if (timeoutMs > 0) socket.setTimeout(0);
    parser.free();
    if (error) {
      socket.on('error', () => {});
      socket.destroy();
    }
    if (rest !== undefined && rest.length > 0) socket.unshift(rest); // these bytes came through the tunnel
    done(error);
  };
  const refusal = (line) => {
    const error = new codes.ERR_PROXY_TUNNEL(`Failed to establish tunnel to ${endpoint} via ${via}: ${line}`);
    if (reply.status !== 0) error.statusCode = reply.status;
    return error;
  };
  const onData = (bytes) => {
    const result = parser.execute(bytes, receiver);
    if (result?.error) finish(refusal(firstLine(bytes)));
    else if (reply.status !== 0 && reply.status !== 200) finish(refusal(reply.line));
    else if (result !== undefined) {
      finish(null, bytes.subarray(result.offset));
    }
  };
  const onEnd = () => finish(new codes.ERR_PROXY_TUNNEL('Connection to establish proxy tunnel ended unexpectedly'));
  const onTimeout = () => {
    const error = new codes.ERR_PROXY_TUNNEL(`Connection to establish proxy tunnel timed out after ${timeoutMs}ms`);
    error.proxyTunnelTimeout = timeoutMs;
    finish(error);
  };
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onEnd);
  socket.on('error', finish);
  if (timeoutMs > 0) {
    socket.on('timeout', onTimeout);
    socket.setTimeout(timeoutMs);
  }
  socket.write(`CONNECT ${endpoint} HTTP/1.1\r\n${lines}Host: ${endpoint}\r\n\r\n`);
}

const firstLine = (bytes) => {
  const { asBuffer } = require('node/buffer/views');
  return RegExpExec(/^[^\r\n]*/, asBuffer(bytes).latin1Slice(0, 200))[0];
};

module.exports = { openTunnel };
