"""RT_CONFIG_VERBOSE_FETCH: a shell can run each printed curl line, and the server receives the same request again;
secrets are masked by default.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from rig import Box

Request = tuple[str, str, list[tuple[str, str]], bytes]
REQUESTS = """
import http from 'node:http';
const at = process.env.SERVER;
const odd = { 'x-quotes': `it's "quoted" $HOME \\`x\\` \\\\`, 'x-empty': '', authorization: 'Bearer hunter2', cookie: 'name=hunter3; b=c' };
await fetch(`${at}/plain?a=b&c=[1]{2}`, { headers: odd });
await fetch(`${at}/text`, { method: 'POST', body: "it's\\ntwo lines\\twith $things & `more` \\\\n é" });
await fetch(`${at}/json`, { method: 'PUT', body: JSON.stringify({ a: "b'c" }), headers: { 'content-type': 'application/json' } });
await fetch(`${at}/bytes`, { method: 'POST', body: new Uint8Array([0, 1, 10, 13, 39, 92, 255]) });
await fetch(`${at}/form`, { method: 'POST', body: new URLSearchParams({ a: 'b c', d: '&' }) });
await fetch(`${at}/at`, { method: 'POST', body: '@/etc/passwd' });
await fetch(`${at}/latin`, { headers: { 'x-latin': 'caf\xe9 \xff' } });
await fetch(`${at}/nothing`, { method: 'POST' });
await fetch(`${at}/empty`, { method: 'POST', body: '' });
await fetch(`${at}/head`, { method: 'HEAD' });
await fetch(`${at}/delete`, { method: 'DELETE' });
await fetch(at.replace('//', '//user:hunter4@') + '/named');
const ask = (path, options, body) => new Promise((resolve, reject) => {
  http.request(at + path, options, (response) => response.resume().on('end', resolve)).on('error', reject).end(body);
});
await ask('/node', { headers: { ...odd, 'X-Case': 'Kept' } });
await ask('/node/known', { method: 'POST', headers: { 'Content-Length': 3 } }, "abc");
await ask('/node/post', { method: 'POST', headers: { 'Content-Type': 'text/plain' } }, "a 'body'\\n");
"""
REDIRECT = "await (await fetch(process.env.SERVER + '/away', { headers: { cookie: 'sid=hunter2' } })).text();"
# Headers that each client sets for itself and its connection.
OWN = {"connection", "accept-encoding"}


@pytest.fixture
def server() -> Iterator[tuple[str, list[Request]]]:
    seen: list[Request] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            if self.headers.get("transfer-encoding") == "chunked":
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
            else:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = sorted((name.lower(), value) for name, value in self.headers.items() if name.lower() not in OWN)
            seen.append((self.command, self.path, headers, body))
            self.send_response(302 if self.path == "/away" else 200)
            if self.path == "/away":
                self.send_header("Location", "/there")
            self.send_header("Set-Cookie", "session=hunter5; Path=/")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = handle_any

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listening.server_port}", seen
        listening.shutdown()


def run(box: Box, text: str, **environment: str) -> str:
    box.write({"asks.mjs": text})
    result = box.run("asks.mjs", env=box.environment(**environment))
    assert result.returncode == 0, result.stderr.decode()
    return result.stderr.decode()


def test_the_curl_line_is_the_request(box: Box, server: tuple[str, list[Request]]) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    address, seen = server
    said = run(box, REQUESTS, SERVER=address, RT_CONFIG_VERBOSE_FETCH="curl", RT_CONFIG_VERBOSE_FETCH_SECRETS="1")
    asked = seen.copy()
    lines = [line.removeprefix("[fetch] $ ") for line in said.splitlines() if line.startswith("[fetch] $ ")]
    assert len(lines) == len(asked) == 15
    for line, request in zip(lines, asked, strict=True):
        seen.clear()
        command = f"{line} --silent --output /dev/null --noproxy '*'"
        subprocess.run(["bash", "-c", command], check=True, env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere"})
        assert seen == [request], line


@pytest.mark.parametrize("mode", ["curl", "true"])
def test_secrets_are_masked(box: Box, server: tuple[str, list[Request]], mode: str) -> None:
    said = run(box, REQUESTS, SERVER=server[0], RT_CONFIG_VERBOSE_FETCH=mode)
    assert "hunter" not in said
    assert "authorization: Bearer [redacted]" in said
    assert "name=[redacted]" in said
    assert "Set-Cookie: session=[redacted]; Path=/" in said
    assert ("[fetch] $ curl" in said) == (mode == "curl")
    shown = run(box, REQUESTS, SERVER=server[0], RT_CONFIG_VERBOSE_FETCH=mode, RT_CONFIG_VERBOSE_FETCH_SECRETS="1")
    for secret in ("Bearer hunter2", "name=hunter3", "user:hunter4@", "session=hunter5"):
        assert secret in shown


def test_each_hop_of_a_redirect_is_logged(box: Box, server: tuple[str, list[Request]]) -> None:
    said = run(box, REDIRECT, SERVER=server[0], RT_CONFIG_VERBOSE_FETCH="true").splitlines()
    heads = [line for line in said if line.startswith(("[fetch] > HTTP/1.1", "[fetch] < 302", "[fetch] < 200"))]
    assert heads == [
        f"[fetch] > HTTP/1.1 GET {server[0]}/away",
        "[fetch] < 302 Found",
        f"[fetch] > HTTP/1.1 GET {server[0]}/there",
        "[fetch] < 200 OK",
    ]


def test_without_it_nothing_is_printed(box: Box, server: tuple[str, list[Request]]) -> None:
    assert run(box, REDIRECT, SERVER=server[0], RT_CONFIG_VERBOSE_FETCH="false") == ""
