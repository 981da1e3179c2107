"""`/dev/stdin`, `/dev/stdout`, `/dev/stderr` and `/dev/fd/N`: descriptors of a command, which differ from the process's
own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_BY_NUMBER = ("/dev/fd/", "/proc/self/fd/")


def named_descriptor(name: str) -> int | None:
    """Return the descriptor that the path `name` refers to; None for any other file."""
    if name in _STREAMS:
        return _STREAMS[name]
    for folder in _BY_NUMBER:
        if name.startswith(folder) and name[len(folder) :].isdecimal():
            return int(name[len(folder) :])
    return None


def path_here(name: str, io: Mapping[int, int]) -> str | None:
    """Return the path in this process for the `name` of a command with the descriptors `io`; None for any other
    file."""
    number = named_descriptor(name)
    return None if number is None else f"/dev/fd/{io.get(number, -1)}"
