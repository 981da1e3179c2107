"""A server of Turborepo's remote cache protocol, for tests: it stores what it receives, and answers as a test tells it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]


class LocalRemoteCache:
    """`artifacts` are body and headers by key; `requests` are (method, path, headers) of all requests.

    `answer` may take over a request: it returns an answer, or None for the usual one.
    """

    def __init__(self) -> None:
        self.artifacts: dict[str, tuple[bytes, dict[str, str]]] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.bodies: list[bytes] = []
        self.answer: Callable[[str, str], Answer | None] = lambda method, path: None
        self.url = ""

    def methods(self) -> list[str]:
        return [method for method, path, _ in self.requests if "/events" not in path]


@contextmanager
def serving() -> Iterator[LocalRemoteCache]:
    """Serve a remote cache on the loopback interface."""
    cache = LocalRemoteCache()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length)
            headers = {name.lower(): value for name, value in self.headers.items()}
            cache.requests.append((self.command, self.path, headers))
            cache.bodies.append(body)
            status, fields, data = cache.answer(self.command, self.path) or self.usual(body, headers)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **fields}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def usual(self, body: bytes, headers: dict[str, str]) -> Answer:
            path = self.path.partition("?")[0].removeprefix("/v8/artifacts/")
            if path == "status":
                return 200, {}, b'{"status": "enabled"}'
            if path == "events":
                return 200, {}, b""
            if self.command == "PUT":
                kept = {name: value for name, value in headers.items() if name.startswith("x-artifact-")}
                cache.artifacts[path] = (body, kept)
                return 202, {}, b'{"urls": []}'
            if path not in cache.artifacts:
                return 404, {}, b"{}"
            data, fields = cache.artifacts[path]
            return 200, fields, data

        do_GET = do_HEAD = do_PUT = do_POST = handle_any

        def log_message(self, *_: Any) -> None:
            return

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """Print nothing: a client that has ended resets its connections."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    cache.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield cache
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
