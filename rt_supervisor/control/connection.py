"""One client of a run: its socket, what it has subscribed to, and what waits to be sent to it.

Nothing here blocks. Messages wait in a queue, and a client that lets more than `MOST_QUEUED_BYTES` of them wait is disconnected. Output
is not queued: the connection reads it from `recent_output` when the socket has room, so that a client that is slow loses output in
the middle, and learns how much.
"""

from __future__ import annotations

from .protocol import Decoder, ProtocolError, encode_message, encode_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from socket import socket
    from typing import Any

    from .recent_output import RecentOutput

MOST_QUEUED_BYTES = 8 << 20
MOST_REQUEST_BYTES = 1 << 20
_ENOUGH_BYTES = 256 << 10  # of what waits: no output is added to more
_RECEIVED_BYTES = 64 << 10


class Connection:
    """A client. `is_broken` means that it is gone, or has to go."""

    def __init__(self, peer: socket) -> None:
        peer.setblocking(False)
        self._peer = peer
        self._decoder = Decoder(most=MOST_REQUEST_BYTES)
        self._queue = bytearray()
        self._cursors: dict[int, int] = {}  # the next offset of each task whose output is sent
        self.wants_events = False
        self.is_broken = False

    def fileno(self) -> int:
        return self._peer.fileno()

    def close(self) -> None:
        self._peer.close()

    @property
    def is_waiting(self) -> bool:
        """Whether something waits until the socket has room."""
        return bool(self._queue)

    def subscribe(self, cursors: Mapping[int, int], *, events: bool) -> None:
        """Send output of the tasks in `cursors` from these offsets on, in place of an earlier subscription."""
        self._cursors = dict(cursors)
        self.wants_events = events

    def receive(self) -> list[dict[str, Any]]:
        """Return the requests that have arrived."""
        requests: list[dict[str, Any]] = []
        try:
            data = self._peer.recv(_RECEIVED_BYTES)
            self.is_broken |= not data
            requests += [each for each in self._decoder.feed(data) if isinstance(each, dict)]
        except BlockingIOError:
            pass
        except (OSError, ProtocolError):
            self.is_broken = True
        return requests

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message, behind output that it may refer to."""
        self._queue += encode_message(message)
        self.is_broken |= len(self._queue) > MOST_QUEUED_BYTES

    def pump(self, outputs: Sequence[RecentOutput]) -> None:
        """Send what waits, and new output, as far as the socket has room."""
        while not self.is_broken:
            self._add_output(outputs)
            if not self._queue:
                return
            try:
                sent = self._peer.send(self._queue)
            except BlockingIOError:
                return
            except OSError:
                self.is_broken = True
                return
            del self._queue[:sent]

    def _add_output(self, outputs: Sequence[RecentOutput]) -> None:
        for task, cursor in self._cursors.items():
            output = outputs[task]
            if cursor < output.start:
                if len(self._queue) >= _ENOUGH_BYTES:
                    return
                self._queue += encode_message({"type": "skipped", "task": task, "bytes": output.start - cursor})
                cursor = self._cursors[task] = output.start
            while cursor < output.end:
                if len(self._queue) >= _ENOUGH_BYTES:
                    return
                piece = output.read(cursor)
                if piece is None:
                    break
                self._queue += encode_output(piece)
                cursor = self._cursors[task] = cursor + len(piece.data)
