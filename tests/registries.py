"""A local registry that speaks npm's protocol, for tests: it serves the given packages and records its requests."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
import threading
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Version = Mapping[str, Any]  # the fields of a package.json; "files" are the other files of the archive


def archive(manifest: Mapping[str, Any], files: Mapping[str, str]) -> bytes:
    """Return the archive of a package, as npm packs it."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        for name, text in {"package.json": json.dumps(manifest), **files}.items():
            data = text.encode()
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            member.mode = 0o755 if name.startswith("bin/") else 0o644
            tar.addfile(member, io.BytesIO(data))
    return gzip.compress(target.getvalue(), mtime=0)


class LocalRegistry:
    """`packages` are fields by name and version; `asked` are the paths of all requests."""

    def __init__(self, packages: Mapping[str, Mapping[str, Version]]) -> None:
        self.packages = {name: dict(versions) for name, versions in packages.items()}
        self.tags: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []
        self.authorizations: list[str | None] = []
        self.is_lying = False  # archives do not have the declared integrity
        self.url = ""

    def answer(self, path: str) -> bytes | None:
        self.asked.append(path)
        name, _, file = urllib.parse.unquote(path).lstrip("/").partition("/-/")
        versions = self.packages.get(name)
        if versions is None:
            return None
        if file:
            fields = versions[file.removesuffix(".tgz")]
            data = self._archive(name, file.removesuffix(".tgz"), fields)
            return data + b"more" if self.is_lying else data
        tags = {"latest": list(versions)[-1]} | self.tags.get(name, {})
        documents = {version: self._document(name, version, fields) for version, fields in versions.items()}
        return json.dumps({"name": name, "dist-tags": tags, "versions": documents}).encode()

    def _archive(self, name: str, version: str, fields: Version) -> bytes:
        manifest = {"name": name, "version": version} | {key: fields[key] for key in fields if key != "files"}
        return archive(manifest, fields.get("files", {"index.js": f"module.exports = '{name} {version}'\n"}))

    def integrity(self, name: str, version: str) -> str:
        """Return the digest that the registry declares for the archive of a version."""
        data = self._archive(name, version, self.packages[name][version])
        return f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"

    def _document(self, name: str, version: str, fields: Version) -> dict[str, Any]:
        dist = {"tarball": f"{self.url}{name}/-/{version}.tgz", "integrity": self.integrity(name, version)}
        return {"name": name, "version": version, "dist": dist} | {k: fields[k] for k in fields if k != "files"}


@contextmanager
def serving(packages: Mapping[str, Mapping[str, Version]]) -> Iterator[LocalRegistry]:
    """Serve `packages` on the loopback interface."""
    registry = LocalRegistry(packages)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            registry.authorizations.append(self.headers.get("Authorization"))
            body = registry.answer(self.path)
            etag = f'"{hashlib.sha256(body or b"").hexdigest()}"'
            is_same = body is not None and self.headers.get("If-None-Match") == etag
            self.send_response(304 if is_same else 404 if body is None else 200)
            self.send_header("ETag", etag)
            self.send_header("Content-Length", str(0 if is_same else len(body or b"")))
            self.end_headers()
            if not is_same:
                self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    registry.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
