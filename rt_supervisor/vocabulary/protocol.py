"""The bytes between supervisor, guardian and zygote: one frame a message, encode beside decode.

A frame is a 4-byte big-endian length and a marshalled tuple whose first item is the message's kind. All ends are the
same program (each is a fork of another), so `marshal` is safe and needs no import. File descriptors of a `SPAWN` or
`FORK` travel as ancillary data beside it and are taken in the order of the frames.
"""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# supervisor -> guardian
PREPARE = "prepare"  # (PREPARE,): source files will be among the scripts; before the first of them
PREPARE_SHELL = "prepare-shell"  # (PREPARE_SHELL,): scripts will run in rt's own shell
SPAWN = "spawn"  # (SPAWN, key, (argv, direct), program, changed environment, removed names, folder, descriptors passed)
SIGNAL = "signal"  # (SIGNAL, key or None for every script, signal number)
KILL = "kill"  # (KILL, key or None for every script): the whole tree, at once

# guardian -> supervisor
STARTED = "started"  # (STARTED, key, pid, mask of the signals it was given that were pending for rt)
REFUSED = "refused"  # (REFUSED, key, errno, words, path or None)
ENDED = "ended"  # (ENDED, key, wait status, cpu seconds, peak resident bytes)

# guardian -> zygote
FORK = "fork"  # (FORK, key, program, changed environment, removed names, folder, descriptors that travel along)

# zygote and its workers -> guardian, over one pipe: frames within POSIX's least PIPE_BUF (512) do not mix
FORKED = "forked"  # (FORKED, key, pid), the zygote's
RUNNING = "running"  # (RUNNING, key, pid), the worker's: it has become the script
UNABLE = "unable"  # (UNABLE, key, 0), of either: the script needs a whole process

LENGTH_BYTES = 4
LARGEST_FRAME = 64 << 20
LARGEST_ORDER = 128 << 10  # of a FORK; what is longer, the system may refuse to execute, and shall
OWN_GROUP = 0


def is_shell(program: Sequence[str]) -> bool:
    """Whether the command line `program` of rt is its own shell with a text: then it needs no engine."""
    return tuple(program[1:3]) == ("shell", "-c")


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
