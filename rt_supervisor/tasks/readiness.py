"""When a service is ready: a port accepts connections, a URL answers, a line is printed, a file exists, or a command succeeds.

Each service is watched by a thread of its own, which writes one byte to a pipe when the service is ready, so that the run never waits for
a check. Lines are compared as they are printed.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

INTERVAL_S = 0.05
_CHECK_S = 2.0  # of one request
_LONGEST_LINE = 64 * 1024
_LOCAL = ("127.0.0.1", "::1")
_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class Readiness:
    """Watches one service from its start until it is ready or `close` is called.

    `ready` is the setting, `folder` that of the package, `environment` that of the service; `wake` is called in a thread. `pid` is the process
    of the service, 0 until it has started.
    """

    def __init__(
        self,
        ready: Mapping[str, bool | int | str],
        *,
        folder: str,
        environment: Mapping[str, str],
        wake: Callable[[], None],
    ) -> None:
        self.pid = 0
        self.timeout_s = float(ready["timeout"]) / 1000
        self._wake = wake
        self._is_ready = threading.Event()
        self._is_closed = threading.Event()
        self._pattern: re.Pattern[str] | None = None
        self._tail = b""
        self.words = next(f"{key} {value}" for key, value in ready.items() if key != "timeout")
        if "line" in ready:
            self._pattern = re.compile(str(ready["line"]))
            return
        check = self._check_of(ready, folder, environment)
        threading.Thread(target=self._watch, args=(check,), daemon=True).start()

    @property
    def is_ready(self) -> bool:
        return self._is_ready.is_set()

    def feed(self, block: bytes) -> None:
        """Look for the line in what the service prints."""
        if self._pattern is None or self.is_ready:
            return
        *lines, self._tail = (self._tail + block).split(b"\n")
        self._tail = self._tail[-_LONGEST_LINE:]
        if any(self._pattern.search(line.decode("utf-8", "replace")) for line in (*lines, self._tail)):
            self._is_ready.set()

    def close(self) -> None:
        """End the thread at its next check."""
        self._is_closed.set()

    def _watch(self, check: Callable[[], bool]) -> None:
        while not self._is_closed.is_set():
            if check():
                self._is_ready.set()
                self._wake()
                return
            self._is_closed.wait(INTERVAL_S)

    def _check_of(
        self, ready: Mapping[str, bool | int | str], folder: str, environment: Mapping[str, str]
    ) -> Callable[[], bool]:
        port = int(ready.get("port", 0))
        if "http" in ready:
            address = str(ready["http"])
            if not address.startswith("/"):
                return lambda: _answers(address)
            addresses = [(host, port) for host in _LOCAL] if port else None
            return lambda: any(
                _answers(f"http://{f'[{host}]' if ':' in host else host}:{number}{address}")
                for host, number in (_listened_on(self.pid) if addresses is None else addresses)
            )
        if port:
            return lambda: _accepts(port)
        if "file" in ready:
            path = os.path.join(folder, str(ready["file"]))
            return lambda: os.path.exists(path)
        command = str(ready["command"])
        return lambda: _succeeds(command, folder, environment)


def _listened_on(pid: int) -> list[tuple[str, int]]:
    """Return the addresses and ports on which a process and its descendants accept TCP connections."""
    import psutil

    found = []
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(pid) if pid else None
        for process in (first, *first.children(recursive=True)) if first is not None else ():
            with contextlib.suppress(psutil.Error):
                found += [
                    (_WILDCARDS.get(connection.laddr.ip, connection.laddr.ip), connection.laddr.port)
                    for connection in process.net_connections("tcp")
                    if connection.status == psutil.CONN_LISTEN
                ]
    return found


def _accepts(port: int) -> bool:
    import socket

    for host in _LOCAL:
        try:
            with socket.create_connection((host, port), timeout=_CHECK_S):
                return True
        except OSError:
            continue
    return False


def _answers(url: str) -> bool:
    """Return whether a GET request gets a status below 400."""
    from http.client import HTTPConnection, HTTPException, HTTPSConnection
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    host = parts.hostname or "localhost"
    connection: HTTPConnection
    if parts.scheme == "https":
        import ssl

        # Certificates of development servers are signed by no authority, and nothing is sent that could be secret.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = HTTPSConnection(host, parts.port or 443, timeout=_CHECK_S, context=context)
    else:
        connection = HTTPConnection(host, parts.port or 80, timeout=_CHECK_S)
    try:
        connection.request("GET", f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}")
        return connection.getresponse().status < 400
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _succeeds(command: str, folder: str, environment: Mapping[str, str]) -> bool:
    import subprocess

    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=dict(environment),
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            check=False,
        )
    except OSError:
        return False
    return done.returncode == 0
