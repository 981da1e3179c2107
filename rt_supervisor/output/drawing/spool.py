"""Buffers output: the newest bytes of a spool in memory, the rest in one unnamed temporary file per run.

A spool returns exactly the bytes that were appended, in order. With a `limit`, it drops the oldest whole slots and
counts their lines. Each spool uses at most one slot of memory; the file disappears with the process, and is not created
before a spool exceeds its memory.
"""

from __future__ import annotations

import errno
import os

from ...vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SLOT_BYTES = 64 * 1024


class SlotFile:
    """Fixed-size slots in an unnamed file, shared by all spools of a run."""

    def __init__(self) -> None:
        self._descriptor = -1
        self._slots = 0
        self._free: list[int] = []

    def store(self, data: bytes) -> int:
        """Write `data`, at most a slot, and return its slot. Raises OSError (disk full, no temporary folder)."""
        if self._descriptor < 0:
            self._descriptor = _open_unnamed()
        slot = self._free.pop() if self._free else self._slots
        position = slot * SLOT_BYTES
        view = memoryview(data)
        while view:
            written = os.pwrite(self._descriptor, view, position)
            view, position = view[written:], position + written
        self._slots = max(self._slots, slot + 1)
        return slot

    def load(self, slot: int, size: int) -> bytes:
        """Return the first `size` bytes of `slot`."""
        return os.pread(self._descriptor, size, slot * SLOT_BYTES)

    def release(self, slot: int) -> None:
        """Make `slot` available for reuse."""
        self._free.append(slot)

    def close(self) -> None:
        """Close and thereby delete the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Spool:
    """The output of one step or task. `lost_lines` counts the lines dropped because of `limit` (in bytes; None: no
    limit)."""

    def __init__(self, file: SlotFile, *, limit: int | None = None) -> None:
        self._file = file
        self.is_limited = limit is not None
        self._most_slots = None if limit is None else max(1, limit // SLOT_BYTES)
        self._slots: list[tuple[int, int, int]] = []  # slot, bytes, newlines
        self._recent = bytearray()
        self.lost_lines = 0

    def append(self, data: bytes) -> None:
        """Append `data`. Raises Failed if the disk has no room for it."""
        try:
            self._append(data)
        except OSError as error:
            name = errno.errorcode.get(error.errno or 0, "?")
            reason = f"cannot buffer the output of scripts in {_folder()}: {error.strerror} ({name})"
            raise Failed("spool-failed", reason) from error

    def _append(self, data: bytes) -> None:
        if len(self._recent) + len(data) <= SLOT_BYTES:
            self._recent += data
            return
        start = 0
        if self._most_slots is not None and len(data) > self._most_slots * SLOT_BYTES:
            start = self._forget_all_before(data)
        for position in range(start, len(data), SLOT_BYTES):
            self._recent += data[position : position + SLOT_BYTES]
            while len(self._recent) >= SLOT_BYTES:
                full = bytes(self._recent[:SLOT_BYTES])
                self._slots.append((self._file.store(full), SLOT_BYTES, full.count(b"\n")))
                del self._recent[:SLOT_BYTES]
        while self._most_slots is not None and len(self._slots) > self._most_slots:
            slot, _, newlines = self._slots.pop(0)
            self.lost_lines += newlines
            self._file.release(slot)

    def blocks(self) -> Iterator[bytes]:
        """Yield the buffered bytes, oldest first; if some were dropped, they begin in the middle of a line."""
        for slot, size, _ in self._slots:
            yield self._file.load(slot, size)
        if self._recent:
            yield bytes(self._recent)

    def discard(self) -> None:
        """Drop everything."""
        for slot, _, _ in self._slots:
            self._file.release(slot)
        self._slots.clear()
        self._recent.clear()

    def _forget_all_before(self, data: bytes) -> int:
        """Drop everything except the end of `data`, which alone exceeds the limit; return where that end begins."""
        assert self._most_slots is not None
        start = len(data) - self._most_slots * SLOT_BYTES
        self.lost_lines += sum(newlines for _, _, newlines in self._slots)
        self.lost_lines += self._recent.count(b"\n") + data.count(b"\n", 0, start)
        self.discard()
        return start


def _folder() -> str:
    return os.environ.get("TMPDIR") or "/tmp"


def _open_unnamed() -> int:
    folder = _folder()
    if hasattr(os, "O_TMPFILE"):
        try:
            return os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if error.errno not in (
                errno.EISDIR,
                errno.EINVAL,
                errno.EOPNOTSUPP,
            ):  # this file system does not support O_TMPFILE
                raise
    from tempfile import TemporaryFile

    with TemporaryFile(dir=folder) as file:
        return os.dup(file.fileno())
