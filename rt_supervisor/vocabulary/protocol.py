"""The bytes between supervisor, guardian and zygote: one frame a message, encode beside decode.

A frame is a 4-byte big-endian length and a marshalled tuple whose first item is the message's kind. All ends are the
same program (each is a fork of another), so `marshal` is safe and needs no import. File descriptors of a `SPAWN` or
`FORK` travel as ancillary data beside it and are taken in the order of the frames.

The native guardian has bytes of its own (`native/start/src/protocol.rs`); its reports become the tuples that are here.
"""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final, Literal, TypeAlias

# supervisor -> guardian
PREPARE: Final = "prepare"
PREPARE_SHELL: Final = "prepare-shell"
HOLD: Final = "hold"  # to the zygote, too
SPAWN: Final = "spawn"
SIGNAL: Final = "signal"
KILL: Final = "kill"

# guardian -> supervisor
STARTED: Final = "started"
REFUSED: Final = "refused"
ENDED: Final = "ended"

# guardian -> zygote
FORK: Final = "fork"

# zygote and its workers -> guardian, over one pipe: frames within POSIX's least PIPE_BUF (512) do not mix
HELD: Final = "held"
FORKED: Final = "forked"
RUNNING: Final = "running"
UNABLE: Final = "unable"

if TYPE_CHECKING:  # the messages by their fields: tuples, which cost no class at start-up
    Prepare: TypeAlias = tuple[Literal["prepare"]]  # source files will be among the scripts; before the first of them
    PrepareShell: TypeAlias = tuple[Literal["prepare-shell"]]  # scripts will run in rt's own shell
    Hold: TypeAlias = tuple[Literal["hold"]]  # fork the next worker now; it waits for its order
    Commands: TypeAlias = tuple[list[str], list[str]]  # argv, and what is executed in its place where it can be
    # key, commands, program, changed environment, removed names, folder, descriptors that travel along
    Spawn: TypeAlias = tuple[Literal["spawn"], int, Commands, list[str], dict[str, str], list[str], str, int]
    Signal: TypeAlias = tuple[Literal["signal"], int | None, int]  # key, or None for every script; signal number
    Kill: TypeAlias = tuple[Literal["kill"], int | None]  # key, or None for every script: the whole tree, at once
    Order: TypeAlias = Prepare | PrepareShell | Hold | Spawn | Signal | Kill

    # key, pid, mask of the signals it was given that were pending for rt
    Started: TypeAlias = tuple[Literal["started"], int, int, int]
    Refused: TypeAlias = tuple[Literal["refused"], int, int, str, str | None]  # key, errno, words, path
    # key, wait status, CPU seconds, peak resident bytes
    Ended: TypeAlias = tuple[Literal["ended"], int, int, float, int]
    Report: TypeAlias = Started | Refused | Ended

    # key, program, changed environment, removed names, folder, descriptors that travel along
    Fork: TypeAlias = tuple[Literal["fork"], int, list[str], dict[str, str], list[str], str, int]

    Held: TypeAlias = tuple[Literal["held"], int, int]  # 0, pid (0: it could not be forked): the zygote's
    Forked: TypeAlias = tuple[Literal["forked"], int, int]  # key, pid: the zygote's, or of the worker that was held
    Running: TypeAlias = tuple[Literal["running"], int, int]  # key, pid: the worker's: it has become the script
    Unable: TypeAlias = tuple[Literal["unable"], int, int]  # key, 0, of either: the script needs a whole process
    Answer: TypeAlias = Held | Forked | Running | Unable

    Message: TypeAlias = Order | Report | Fork | Answer

LENGTH_BYTES = 4
LARGEST_FRAME = 64 << 20
LARGEST_ORDER = 128 << 10  # of a FORK; what is longer, the system may refuse to execute, and shall
OWN_GROUP = 0


def is_shell(program: Sequence[str]) -> bool:
    """Whether the command line `program` of rt is its own shell with a text: then it needs no engine."""
    return tuple(program[1:3]) == ("shell", "-c")


class FrameError(Exception):
    """The other side sent what is no frame: a bug, or memory that was overwritten."""


def encode(message: Message) -> bytes:
    """Return the frame of `message`."""
    body = marshal.dumps(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class FrameReader:
    """Cuts a byte stream into messages; keeps what is not yet complete."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, data: bytes) -> list[Any]:
        """Return the messages that `data` completes, in order: those that the other side sends. Raises FrameError on what is no frame."""
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
