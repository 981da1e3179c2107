"""How a watched program reports the files that it loads: datagrams to a socket that only it knows.

The socket is a Unix one in the abstract namespace, so nothing is left on the disk; its name holds 128 random bits and
is passed in the environment variable `CHANNEL`, which the program hides and does not pass on. Each path comes with the
identity of its file when it was loaded, so that a change before rt follows the file is noticed.
"""

from __future__ import annotations

import _socket
import os

from .identity import identity_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from .identity import Identity

    class LoadListener(Protocol):
        """Receives the files that a program loads."""

        def report(self, paths: Iterable[str]) -> None: ...


CHANNEL = "_RT_WATCH_CHANNEL"
LARGEST = 32 << 10
_BUFFER_BYTES = 4 << 20  # a program reports thousands of modules at once


class LoadReporter:
    """The program's end of the channel. It never waits for rt, and ignores errors after rt has ended."""

    def __init__(self, channel: str) -> None:
        self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_DGRAM | _socket.SOCK_CLOEXEC)
        self._address = b"\0" + os.fsencode(channel)
        self._reported: set[str] = set()

    def report(self, paths: Iterable[str]) -> None:
        """Report the files `paths` (absolute), each once."""
        fresh = [path for path in dict.fromkeys(paths) if path not in self._reported]
        self._reported.update(fresh)
        for datagram in encode([(path, identity_of(path)) for path in fresh]):
            try:
                self._socket.sendto(datagram, self._address)
            except OSError:
                return

    def close(self) -> None:
        self._socket.close()


class LoadReports:
    """rt's end: `fileno` is readable when `take` has paths; `channel` is the value of the variable `CHANNEL`."""

    def __init__(self) -> None:
        self.channel = f"rt-watch-{os.urandom(16).hex()}"
        self._socket = _socket.socket(
            _socket.AF_UNIX, _socket.SOCK_DGRAM | _socket.SOCK_CLOEXEC | _socket.SOCK_NONBLOCK
        )
        self._socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_RCVBUF, _BUFFER_BYTES)
        self._socket.bind(b"\0" + self.channel.encode())

    def fileno(self) -> int:
        return self._socket.fileno()

    def take(self) -> dict[str, Identity]:
        """Return the paths that have arrived with their identities. Never waits."""
        arrived: dict[str, Identity] = {}
        while True:
            try:
                arrived.update(decode(self._socket.recv(LARGEST + 1)))
            except BlockingIOError:
                return arrived

    def close(self) -> None:
        self._socket.close()


def encode(files: Sequence[tuple[str, Identity]]) -> list[bytes]:
    """Return datagrams of at most LARGEST bytes that hold `files`; a file that does not fit into one is omitted."""
    datagrams: list[bytes] = []
    parts: list[bytes] = []
    size = 0
    for path, identity in files:
        part = b"%s%s" % (b",".join(b"%d" % number for number in identity or ()), os.fsencode(path))
        if len(part) >= LARGEST:
            continue
        if size + len(part) >= LARGEST:
            datagrams.append(b"\0".join(parts))
            parts, size = [], 0
        parts.append(part)
        size += len(part) + 1
    if parts:
        datagrams.append(b"\0".join(parts))
    return datagrams


def decode(datagram: bytes) -> list[tuple[str, Identity]]:
    """Return the files of one datagram. Entries without an absolute path and an identity (or null) are ignored."""
    found: list[tuple[str, Identity]] = []
    for part in datagram.split(b"\0"):
        numbers, slash, rest = part.partition(b"/")
        if not slash:
            continue
        path = os.fsdecode(slash + rest)
        if not numbers:
            found.append((path, None))
            continue
        try:
            changed_ns, size, inode = map(int, numbers.split(b","))
        except ValueError:
            continue
        found.append((path, (changed_ns, size, inode)))
    return found
