"""Servers answer, refuse or close mutated requests, and go on: RT.serve with routes, bodies and WebSockets, and node:http."""

from __future__ import annotations

import contextlib
import random
import select
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import development_builds as builds
import pytest
from mutations import Mutator

SERVERS = """
import http from 'node:http';
const readers = ['text', 'json', 'arrayBuffer', 'formData', 'blob', 'bytes'];
const web = RT.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/file': new Response(RT.file(import.meta.filename)),
    '/user/:id': (request) => Response.json({ ...request.params, cookie: request.cookies.get('a') }),
    '/redirect': Response.redirect('/'),
  },
  async fetch(request, server) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/socket' && server.upgrade(request)) return;
    const how = searchParams.get('read');
    if (how === 'stream') {
      let size = 0;
      for await (const chunk of request.body ?? []) size += chunk.length;
      return new Response(String(size));
    }
    if (readers.includes(how)) await request[how]();
    return new Response('good', { headers: { 'x-seen': String([...request.headers].length) } });
  },
  websocket: { message: (socket, message) => socket.send(message), perMessageDeflate: true },
  error: () => new Response('bad', { status: 500 }),
});
const node = http.createServer({ requestTimeout: 2000, headersTimeout: 1000 }, (request, response) => {
  request.on('error', () => {});
  response.on('error', () => {});
  if (request.url === '/ignored') return response.end('good');
  let size = 0;
  request.on('data', (chunk) => (size += chunk.length)).on('end', () => {
    response.write('go');
    response.addTrailers({ 'x-end': String(size) });
    response.end('od');
  });
});
node.on('upgrade', (request, socket) => socket.on('error', () => {}).end('HTTP/1.1 101 x\\r\\n\\r\\n'));
node.on('clientError', (error, socket) => socket.destroyed || socket.end('HTTP/1.1 400 Bad Request\\r\\n\\r\\n'));
node.listen(0, '127.0.0.1', () => console.log(web.port, node.address().port));
"""
FORM = (
    b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\nContent-Type: text/plain\r\n\r\nc\r\n--x--\r\n'
)
UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)
# A text, a ping, a fragmented and a compressed message, and the end.
FRAMES = (
    b"\x81\x85\0\0\0\0hello\x89\x80\1\2\3\4\x01\x81\0\0\0\0a\x80\x81\0\0\0\0b\xc1\x87\0\0\0\0\xcaH\xcd\xc9\xc9\x07\0"
    b"\x82\xfe\x00\x80\0\0\0\0" + bytes(128) + b"\x88\x82\0\0\0\0\x03\xe8"
)
ORIGINALS = [
    b'GET / HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nCookie: a=b; c="d"\r\n\r\n',
    b"GET http://a:80/user/%20x?y=%zz#f HTTP/1.0\r\nConnection: keep-alive\r\nCookie: a=1\r\n\r\n",
    b"POST /?read=text HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhello worldGET /ignored HTTP/1.1\r\nHost: b\r\n\r\n",
    b'POST /?read=stream HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: t\r\n\r\n5;e="f"\r\nhello\r\nA\r\n'
    b"0123456789\r\n0\r\nT: v\r\n\r\n",
    b"PUT /?read=json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 7\r\nExpect: 100-continue"
    b'\r\n\r\n{"a":1}',
    b"POST /?read=formData HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: "
    + str(len(FORM)).encode()
    + b"\r\n\r\n"
    + FORM,
    b"POST /?read=formData HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n"
    b"\r\na=%41&b=+",
    b"GET /file HTTP/1.1\r\nHost: a\r\nRange: bytes=1-5, 7-\r\nIf-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT\r\n\r\n",
    b'HEAD /redirect HTTP/1.1\r\nHost: a\r\nIf-None-Match: "x"\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
    b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
    UPGRADE + FRAMES,
    UPGRADE + FRAMES,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\6\4\0\0\0\0\0\0\3\0\0\0d\0\0\1\1\5\0\0\0\1\x82",
]
MARKS = [
    b"\r\n",
    b"\n",
    b"\r",
    b"\0",
    b" ",
    b":",
    b"\t",
    b";",
    b"\xff",
    b"\x80",
    b"%",
    b"0",
    b"9" * 20,
    b"A" * 300,
    b"-1",
]
MARKS += [
    b"Content-Length: 3\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Connection: close\r\n",
    b"\r\n\r\n",
    b"Host: b\r\n",
]
MARKS += [
    b"HTTP/1.1",
    b"--x\r\n",
    b"\x88\x80\0\0\0\0",
    b"\x81\x7f" + b"\xff" * 8,
    b"\xc1\x05",
    b"0\r\n\r\n",
    b"\x01\x00",
]
VALID = b"GET /ignored HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
AT_ONCE = 25
PATIENCE_S = 60.0


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int], Path]]:
    (tmp_path / "servers.mjs").write_text(SERVERS)
    errors = tmp_path / "errors.txt"
    with errors.open("w") as stderr:
        process = builds.start("rt-debug", "servers.mjs", cwd=tmp_path, stderr=stderr)
    try:
        assert process.stdout is not None
        ports = [int(word) for word in process.stdout.readline().split()]
        assert len(ports) == 2, errors.read_text()
        yield process, ports, errors
    finally:
        process.kill()
        process.communicate()


def connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
    # Closing sends RST, so that 50,000 connections do not exhaust the ports.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return connection


def send(connection: socket.socket, request: bytes, chance: random.Random) -> bool:
    """Send a request, in one or two writes, and mostly its end; return whether the server must react."""
    cut = chance.randrange(len(request) + 1) if chance.random() < 0.3 else len(request)
    ends = chance.random() < 0.8
    try:
        connection.sendall(request[:cut])
        connection.sendall(request[cut:])
        if ends:
            connection.shutdown(socket.SHUT_WR)
    except OSError:
        return False  # the server has closed it
    return ends


def await_reactions(requests: dict[socket.socket, bytes]) -> None:
    """Wait until the server has answered or closed each connection."""
    waiting = set(requests)
    while waiting:
        ready, _, _ = select.select(list(waiting), [], [], PATIENCE_S)
        assert ready, f"seed {builds.SEED}: no reaction to {[requests[each] for each in waiting]}"
        for connection in ready:
            waiting.discard(connection)
            with contextlib.suppress(OSError):  # reset
                connection.recv(1 << 16)


def is_serving(port: int) -> bool:
    with connect(port) as connection:
        connection.sendall(VALID)
        answer = b""
        while data := connection.recv(1 << 16):
            answer += data
    return answer.startswith(b"HTTP/1.1 200 ") and b"good" in answer


def exchange(requests: list[bytes], ports: list[int], chance: random.Random) -> None:
    """Send each request on a connection of its own, and wait until the servers have read all of them."""
    connections = []
    reacting = {}
    for request in requests:
        connections.append(connect(chance.choice(ports)))
        if send(connections[-1], request, chance):
            reacting[connections[-1]] = request
    await_reactions(reacting)
    assert all(is_serving(port) for port in ports)
    for connection in connections:
        connection.close()


def test_mutated_requests(servers: tuple[subprocess.Popen[str], list[int], Path]) -> None:
    process, ports, errors = servers
    total = builds.count("REQUESTS", 50_000)
    mutator, chance = Mutator(builds.SEED, ORIGINALS, MARKS), random.Random(builds.SEED)
    for first in range(0, total, AT_ONCE):
        requests = [mutator.mutate() for _ in range(min(AT_ONCE, total - first))]
        try:
            exchange(requests, ports, chance)
        except OSError as error:
            pytest.fail(f"seed {builds.SEED}, request {first}: {error}: {errors.read_text()[-5000:]}")
        assert process.poll() is None
    text = errors.read_text()
    assert "Sanitizer" not in text and "panicked" not in text, text[-5000:]
