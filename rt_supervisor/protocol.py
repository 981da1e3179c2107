"""The bytes between supervisor and guardian: one frame a message, encode beside decode.

A frame is a 4-byte big-endian length and a marshalled tuple whose first item is the message's kind. Both ends are the
same program (the guardian is a fork of the supervisor), so `marshal` is safe and needs no import. File descriptors of a
`SPAWN` travel as ancillary data beside it and are taken in the order of the frames.
"""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# supervisor -> guardian
SPAWN = "spawn"  # (SPAWN, key, argv, changed environment, removed names, folder, group)
SIGNAL = "signal"  # (SIGNAL, key or None for every script, signal number)
KILL = "kill"  # (KILL, key or None for every script): the whole tree, at once

# guardian -> supervisor
STARTED = "started"  # (STARTED, key, pid, mask of the signals it was given that were pending for rt)
REFUSED = "refused"  # (REFUSED, key, errno, words, path or None)
ENDED = "ended"  # (ENDED, key, wait status, cpu seconds, peak resident bytes)

LENGTH_BYTES = 4
LARGEST_FRAME = 64 << 20
OWN_GROUP = 0


class FrameError(Exception):
    """The other side sent what is no frame: a bug, or memory that was overwritten."""


def encode(message: tuple[Any, ...]) -> bytes:
    """Return the frame of `message`, a tuple of marshallable values."""
    body = marshal.dumps(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class FrameReader:
    """Cuts a byte stream into messages; keeps what is not yet complete."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[tuple[Any, ...]]:
        """Return the messages that `data` completes, in order. Raises FrameError on what is no frame."""
        data = self._pending + data
        messages: list[tuple[Any, ...]] = []
        start = 0
        while len(data) - start >= LENGTH_BYTES:
            length = int.from_bytes(data[start : start + LENGTH_BYTES], "big")
            if length > LARGEST_FRAME:
                raise FrameError(f"a frame of {length} bytes")
            end = start + LENGTH_BYTES + length
            if end > len(data):
                break
            try:
                message = marshal.loads(data[start + LENGTH_BYTES : end])
            except (EOFError, ValueError, TypeError) as error:
                raise FrameError(str(error)) from error
            if not isinstance(message, tuple):
                raise FrameError(f"a {type(message).__name__} is no message")
            messages.append(message)
            start = end
        self._pending = data[start:]
        return messages
