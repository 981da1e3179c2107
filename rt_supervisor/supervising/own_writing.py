"""Distinguishes files that a script writes from files that a developer edits, so that a build does not restart itself
forever.

A file with the same content as at its last report has not changed. A file that appears while a script of its package
runs, or shortly after, belongs to that script: it counts only if it changes while no script runs. If the two cannot be
distinguished (a file that existed before the first run is written again), the change counts, so that no edit is lost.
"""

from __future__ import annotations

import zlib

OWN_WRITING_S = 1.0  # how long after a script's end a file that it made may be reported
_LARGEST_COMPARED = 16 << 20  # bytes; larger files count as changed


class OwnWriting:
    """Remembers the contents of changed files; the caller passes the time."""

    def __init__(self) -> None:
        self._held: dict[str, int | None] = {}
        self._made: set[str] = set()
        self._last_busy: dict[str, float] = {}

    def record_run(self, folder: str, now: float) -> None:
        """Record that a script of the package in `folder` runs at `now`."""
        self._last_busy[folder] = now

    def is_own_change(self, path: str, *, folder: str, is_new: bool, now: float) -> bool:
        """Return whether the change of `path` is ignored: a script of the package in `folder` made it, or its content
        is unchanged.

        `is_new` means that the file did not exist before.
        """
        before = self._held.get(path)
        holds = self._held[path] = _checksum(path)
        if holds is not None and holds == before:
            return True
        return self.is_own_file(path, folder=folder, is_new=is_new, now=now)

    def is_own_file(self, path: str, *, folder: str, is_new: bool, now: float) -> bool:
        """Return whether a script of the package in `folder` has made the file at `path` and may be what changed it, whatever its content."""
        is_busy = now - self._last_busy.get(folder, float("-inf")) < OWN_WRITING_S
        if is_new and is_busy:
            self._made.add(path)
        return is_busy and path in self._made


def _checksum(path: str) -> int | None:
    """Return a checksum of a small file; None for a missing or large file."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST_COMPARED + 1)
    except OSError:
        return None
    return None if len(data) > _LARGEST_COMPARED else zlib.crc32(data) << 32 | len(data)
