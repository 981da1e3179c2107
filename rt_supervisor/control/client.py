"""A client of a running run: connects to its socket, sends requests, and receives events and output."""

from __future__ import annotations

import os
import socket
from collections import deque

from ..vocabulary.errors import Failed
from .protocol import PROTOCOL, Decoder, Output, ProtocolError, encode_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_RECEIVED_BYTES = 256 << 10
_PATIENCE_S = 10.0  # how long a run may take to answer a new client; one that is stopped never does


class Refused(Failed):
    """The run does not carry out a request."""


class ControlClient:
    """A connection to the run with the socket in `folder`. `run` describes it: its id, process, command and folder."""

    def __init__(self, folder: str, *, version: str) -> None:
        """`version` is that of this rt. Raises Failed if the run does not answer, or speaks another protocol."""
        self._peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._decoder = Decoder()
        self._items: deque[dict[str, Any] | Output] = deque()
        self._requests = 0
        try:
            self._peer.settimeout(_PATIENCE_S)
            _connect(self._peer, folder)
            hello = next(self.items(), None)
            self._peer.settimeout(None)
        except OSError as error:
            self._peer.close()
            raise Failed(
                "run-unreachable", f"the run in {folder} does not answer: {error.strerror or error}"
            ) from error
        if not isinstance(hello, dict) or hello.get("type") != "hello":
            self._peer.close()
            raise Failed("run-unreachable", f"the run in {folder} does not answer as a run of rt does")
        if hello.get("protocol") != PROTOCOL:
            self._peer.close()
            raise Failed(
                "control-version",
                f"this run was started by rt {hello.get('version')}, which speaks protocol {hello.get('protocol')}; this is "
                f"rt {version}, which speaks protocol {PROTOCOL}\nnote: use the rt that has started the run",
            )
        self.run: dict[str, Any] = hello.get("run", {})

    def fileno(self) -> int:
        return self._peer.fileno()

    def close(self) -> None:
        self._peer.close()

    def request(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """Have the run carry out an operation of `protocol`, and return its result. Raises Refused with the reason
        that the run gives, and Failed if it ends before it answers. Messages that arrive meanwhile wait for `items` and `receive`.
        """
        number = self.send(operation, **arguments)
        seen = 0
        while True:
            for place in range(seen, len(self._items)):
                item = self._items[place]
                if isinstance(item, dict) and item.get("type") == "reply" and item.get("id") == number:
                    del self._items[place]
                    if (error := item.get("error")) is not None:
                        raise Refused(error["reason"], error["message"])
                    result: dict[str, Any] = item["result"]
                    return result
            seen = len(self._items)
            if not self._wait():
                raise Failed("run-ended", "the run has ended")

    def send(self, operation: str, **arguments: Any) -> int:
        """Send a request without waiting for the reply, which has the returned number as its "id". Raises Failed if the run has ended."""
        self._requests += 1
        try:
            self._peer.sendall(encode_message({"id": self._requests, "do": operation, **arguments}))
        except OSError as error:
            raise Failed("run-ended", "the run has ended") from error
        return self._requests

    def items(self) -> Iterator[dict[str, Any] | Output]:
        """Yield messages and output as they arrive, until the run ends."""
        while self._items or self._wait():
            if self._items:
                yield self._items.popleft()

    def receive(self) -> list[dict[str, Any] | Output] | None:
        """Return what has arrived, without blocking; None if the run has ended and everything was returned."""
        is_open = self._take(socket.MSG_DONTWAIT)
        found = list(self._items)
        self._items.clear()
        return found if found or is_open else None

    def _wait(self) -> bool:
        """Wait until something arrives. Returns False if the run has ended."""
        return self._take(0)

    def _take(self, flags: int) -> bool:
        try:
            data = self._peer.recv(_RECEIVED_BYTES, flags)
            self._items.extend(self._decoder.feed(data))
        except BlockingIOError:
            return True
        except (ConnectionError, ProtocolError):
            return False
        return bool(data)


def _connect(peer: socket.socket, folder: str) -> None:
    """Connect to the socket in `folder`, whose path may be longer than the address of a socket."""
    directory = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        peer.connect(f"/proc/self/fd/{directory}/socket")
    finally:
        os.close(directory)
