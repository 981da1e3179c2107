"""Output kept for later: the newest bytes of a spool in memory, the rest in one unnamed temporary file for a whole run.

A spool gives back exactly what was put in, in order; with a `limit` it forgets the oldest whole slots and says how many
lines those held. Memory is at most one slot for each spool, the file is gone with the process, and nothing touches the
disk before a spool outgrows its memory.
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
    """Fixed-size slots of a file without a name, shared by all spools of a run."""

    def __init__(self) -> None:
        self._descriptor = -1
        self._slots = 0
        self._free: list[int] = []

    def store(self, data: bytes) -> int:
        """Keep `data`, at most a slot, and return its slot. Raises OSError (a full disk, no temporary folder)."""
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
        """Let `slot` be used again."""
        self._free.append(slot)

    def close(self) -> None:
        """Give the file back to the system."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Spool:
    """The output of one step or task. `lost_lines` counts the lines forgotten because of `limit` (bytes; None: none)."""

    def __init__(self, file: SlotFile, *, limit: int | None = None) -> None:
        self._file = file
        self.is_limited = limit is not None
        self._most_slots = None if limit is None else max(1, limit // SLOT_BYTES)
        self._slots: list[tuple[int, int, int]] = []  # slot, bytes, newlines
        self._recent = bytearray()
        self.lost_lines = 0

    def append(self, data: bytes) -> None:
        """Keep `data`. Raises Failed when there is no room for it on the disk."""
        try:
            self._append(data)
        except OSError as error:
            name = errno.errorcode.get(error.errno or 0, "?")
            reason = f"cannot keep what scripts print in {_folder()}: {error.strerror} ({name})"
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
        """Yield what is kept, oldest first; after a loss it begins in the middle of a line."""
        for slot, size, _ in self._slots:
            yield self._file.load(slot, size)
        if self._recent:
            yield bytes(self._recent)

    def discard(self) -> None:
        """Forget everything."""
        for slot, _, _ in self._slots:
            self._file.release(slot)
        self._slots.clear()
        self._recent.clear()

    def _forget_all_before(self, data: bytes) -> int:
        """Forget everything but the end of `data`, which alone is over the limit; return where that end begins."""
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
            if error.errno not in (errno.EISDIR, errno.EINVAL, errno.EOPNOTSUPP):  # this file system has no such files
                raise
    from tempfile import TemporaryFile

    with TemporaryFile(dir=folder) as file:
        return os.dup(file.fileno())
