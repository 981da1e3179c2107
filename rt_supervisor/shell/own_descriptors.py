"""`/dev/stdin`, `/dev/stdout`, `/dev/stderr` and `/dev/fd/N`: descriptors of a command, which are not the process's own ones."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_BY_NUMBER = ("/dev/fd/", "/proc/self/fd/")


def named_descriptor(name: str) -> int | None:
    """The number that the path `name` stands for, None where it is another file's."""
    if name in _STREAMS:
        return _STREAMS[name]
    for folder in _BY_NUMBER:
        if name.startswith(folder) and name[len(folder) :].isdecimal():
            return int(name[len(folder) :])
    return None


def path_here(name: str, io: Mapping[int, int]) -> str | None:
    """The path by which this process reaches what `name` is to a command with the descriptors `io`; None as above."""
    number = named_descriptor(name)
    return None if number is None else f"/dev/fd/{io.get(number, -1)}"
