"""Bun's options of fetch: separate connections, the redirect limit, unusable proxies; and the retries of streams that a
server refuses.
"""

from __future__ import annotations

from pathlib import Path

from rig import Box

SERVER = """
const http = require('http');
const { once } = require('events');
const asked = [];
const server = http.createServer((request, response) => {
  asked.push([request.url, request.headers.connection, request.socket.remotePort]);
  const left = Number(/hops=(\\d+)/.exec(request.url)?.[1] ?? 0);
  if (left > 0) response.writeHead(302, { Location: `/?hops=${left - 1}` });
  response.end('answer');
}).listen(0, '127.0.0.1');
"""


def run(box: Box, body: str, environment: dict[str, str] | None = None) -> list[str]:
    program = "await once(server, 'listening'); const base = `http://127.0.0.1:${server.address().port}`;" + body
    box.write({"a.cjs": SERVER + "(async () => {" + program + " server.close(); server.closeAllConnections(); })();"})
    return box.run("a.cjs", environment=environment or {}).stdout.decode().splitlines()


def test_a_connection_that_is_not_shared(box: Box) -> None:
    assert run(
        box,
        """
        for (const options of [{}, { keepalive: true }, { keepalive: false }, new Request(base, { keepalive: false }), {}])
          await (options instanceof Request ? fetch(options) : fetch(base, options)).then((response) => response.text());
        console.log(asked.map(([, connection]) => connection).join());
        const ports = asked.map(([, , port]) => port);
        console.log(ports[0] === ports[1], new Set(ports.slice(1, 4)).size, ports[4] === ports[0]);
        """,
    ) == ["keep-alive,keep-alive,close,close,keep-alive", "true 3 true"]


def test_many_requests_at_once_share_connections(box: Box) -> None:
    """A fast server gets few connections; a server that answers only when all requests have arrived gets one for each. A
    request that waits for a connection can be aborted."""
    assert run(
        box,
        """
        const get = (path, options) => fetch(base + path, options).then((response) => response.text());
        await Promise.all(Array.from({ length: 2000 }, () => get('/')));
        console.log(asked.length, new Set(asked.map(([, , port]) => port)).size < 1000);
        const held = [];
        const slow = http.createServer((request, response) => {
          held.push(response);
          if (held.length === 320) for (const each of held) each.end('held');
        }).listen(0, '127.0.0.1');
        await once(slow, 'listening');
        const at = `http://127.0.0.1:${slow.address().port}`;
        const texts = Array.from({ length: 319 }, () => fetch(at).then((response) => response.text()));
        const stop = new AbortController();
        const aborted = fetch(at, { signal: stop.signal }).catch((error) => error.name);
        stop.abort();
        console.log(await aborted);
        texts.push(fetch(at).then((response) => response.text()));
        console.log(...new Set(await Promise.all(texts)), held.length);
        slow.close(); slow.closeAllConnections();
        """,
    ) == ["2000 true", "AbortError", "held 320"]


def test_a_body_that_differs_from_its_announced_length(box: Box) -> None:
    """HTTP/1 does not allow it, but a dispatcher may report any header. The body is read before it arrives."""
    assert run(
        box,
        """
        const part = (size, text) => Buffer.alloc(size, text);
        for (const parts of [[part(90000, 'a'), part(20000, 'b')], [part(70000, 'a')], [part(60000, 'a'), part(40000, 'b')], [part(300000, 'a')]]) {
          const dispatcher = { dispatch(options, handler) {
            const controller = { abort() {}, pause() {}, resume() {} };
            handler.onRequestStart(controller);
            handler.onResponseStart(controller, 200, { 'content-length': '100000' }, 'OK');
            setTimeout(() => {
              for (const each of parts) handler.onResponseData(controller, each);
              handler.onResponseEnd(controller, {});
            }, 1);
            return true;
          } };
          const bytes = await (await fetch(base, { dispatcher })).bytes();
          console.log(bytes.length, bytes.buffer.byteLength === bytes.length, Buffer.concat(parts).equals(bytes));
        }
        """,
    ) == ["110000 true true", "70000 true true", "100000 true true", "300000 true true"]


def test_how_long_the_server_keeps_a_connection(box: Box) -> None:
    assert run(
        box,
        """
        const ports = new Map();
        const raw = require('net').createServer((socket) => {
          socket.on('error', () => {}).on('data', (bytes) => {
            const field = decodeURIComponent(/^GET \\/(\\S*)/.exec(bytes)[1]);
            ports.set(field, [...(ports.get(field) ?? []), socket.remotePort]);
            socket.write(`HTTP/1.1 200 OK\\r\\n${field}Content-Length: 0\\r\\n\\r\\n`);
          });
        }).listen(0, '127.0.0.1');
        await once(raw, 'listening');
        for (const reported of [undefined, 'timeout=0', 'timeout=1', 'max=5, timeout=1', 'timeout="1"', 'timeout=5', 'timeout=60, max=9', 'max=3', 'x']) {
          const field = reported === undefined ? '' : `Keep-Alive: ${reported}\\r\\n`;
          for (let count = 0; count < 2; count++)
            await (await fetch(`http://127.0.0.1:${raw.address().port}/${encodeURIComponent(field)}`)).text();
          console.log(reported, new Set(ports.get(field)).size);
        }
        raw.close();
        """,
    ) == [
        "undefined 1",
        "timeout=0 2",
        "timeout=1 2",
        "max=5, timeout=1 2",
        'timeout="1" 2',
        "timeout=5 1",
        "timeout=60, max=9 1",
        "max=3 1",
        "x 1",
    ]


def test_how_many_redirects(box: Box) -> None:
    assert run(
        box,
        """
        for (const [hops, maxRedirects] of [[2, 2], [2, 1], [1, 0], [0, 0], [20], [21]])
          await fetch(`${base}/?hops=${hops}`, { maxRedirects }).then(
            (response) => response.text(), (error) => [error.code, error.cause.message],
          ).then((reported) => console.log(hops, `${reported}`));
        """,
    ) == [
        "2 answer",
        "2 TooManyRedirects,redirect count exceeded",
        "1 TooManyRedirects,redirect count exceeded",
        "0 answer",
        "20 answer",
        "21 TooManyRedirects,redirect count exceeded",
    ]


def test_requests_without_a_proxy(box: Box) -> None:
    environment = {"HTTP_PROXY": "http://127.0.0.1:9"}  # no server listens there
    assert run(
        box,
        """
        for (const list of ['127.0.0.0/8', '10.0.0.0/8', '127.0.0.1/32', '127.0.0.0/33', '::/0', 'x/8']) {
          process.env.NO_PROXY = list;
          console.log(list, await fetch(base).then((response) => response.text(), (error) => error.code));
        }
        delete process.env.HTTP_PROXY;
        for (const proxy of ['ftp://127.0.0.1/', 'socks5://127.0.0.1/'])
          console.log(await fetch(base, { proxy }).catch((error) => `${error.code} ${error.cause.message}`));
        """,
        environment,
    ) == [
        "127.0.0.0/8 answer",
        "10.0.0.0/8 ECONNREFUSED",
        "127.0.0.1/32 answer",
        "127.0.0.0/33 ECONNREFUSED",
        "::/0 ECONNREFUSED",
        "x/8 ECONNREFUSED",
        "UnsupportedProxyProtocol Proxies of protocol ftp: are not supported",
        "UnsupportedProxyProtocol Proxies of protocol socks5: are not supported",
    ]


def test_retries_with_a_server_that_refuses_every_stream_are_bounded(box: Box) -> None:
    program = """
        const { key, cert } = require('./tls_identity.cjs');
        const http2 = require('http2');
        const { once } = require('events');
        let asked = 0;
        const server = http2.createSecureServer({ key, cert });
        server.on('stream', (stream) => {
          stream.on('error', () => {});
          asked++;
          stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
        });
        server.listen(0, '127.0.0.1', async () => {
          const url = `https://127.0.0.1:${server.address().port}/`;
          const error = await fetch(url, { tls: { rejectUnauthorized: false } }).catch((problem) => problem);
          console.log(error.message, error.code, asked > 1 && asked < 10);
          process.exit();
        });
    """
    identity = (Path(__file__).parent / "tls_identity.cjs").read_text()
    box.write({"a.cjs": program, "tls_identity.cjs": identity})
    assert box.run("a.cjs").stdout == b"fetch failed ERR_HTTP2_STREAM_ERROR true\n"
