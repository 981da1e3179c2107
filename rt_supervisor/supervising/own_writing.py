"""Tells what a script has written itself from what somebody else has changed, so that a build does not start itself for ever.

A file that holds what it held when it was last heard of has not changed. A file that appears while a script of its package
runs, or right after, is that script's: it counts only when it changes while none runs. What cannot be told apart - a file
that was there before the first run, written again - counts: an edit is never lost.
"""

from __future__ import annotations

import zlib

OWN_WRITING_S = 1.0  # how long after a script's end a file of its making may be heard of
_LARGEST_COMPARED = 16 << 20  # bytes; larger files count as changed


class OwnWriting:
    """Remembers what changed files held; the caller has the clock."""

    def __init__(self) -> None:
        self._held: dict[str, int | None] = {}
        self._made: set[str] = set()
        self._last_busy: dict[str, float] = {}

    def runs(self, folder: str, now: float) -> None:
        """Note that a script of the package in `folder` runs at `now`."""
        self._last_busy[folder] = now

    def is_own(self, path: str, *, folder: str, is_new: bool, now: float) -> bool:
        """Whether the change of `path` starts nothing: a script of the package in `folder` made it, or nothing in it differs.

        `is_new`: the file was not there before.
        """
        before = self._held.get(path)
        holds = self._held[path] = _checksum(path)
        if holds is not None and holds == before:
            return True
        is_busy = now - self._last_busy.get(folder, float("-inf")) < OWN_WRITING_S
        if is_new and is_busy:
            self._made.add(path)
        return is_busy and path in self._made


def _checksum(path: str) -> int | None:
    """Return a number that tells the contents of small files apart; None for a file that is gone or large."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST_COMPARED + 1)
    except OSError:
        return None
    return None if len(data) > _LARGEST_COMPARED else zlib.crc32(data) << 32 | len(data)
