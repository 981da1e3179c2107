"""The recent output of each task, by offset: what a client that subscribes late, or reads slowly, can still get.

The output of a task is one sequence of bytes from the start of the run on. Its newest bytes are in memory, older ones in slots of a
file without a name (`output.drawing.spool.SlotFile`), and the oldest beyond `MOST_SLOTS` are dropped.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque

from ..output.drawing.spool import SLOT_BYTES
from .protocol import MOST_OUTPUT_BYTES, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..output.drawing.spool import SlotFile

MOST_SLOTS = 16  # of each task: 1 MiB
MOST_CHANGES = 8192  # between streams; output before the oldest remembered one is dropped


class RecentOutput:
    """The last bytes of one task's output: those from `start` to `end`, by offset."""

    def __init__(self, task: int, file: SlotFile) -> None:
        self.task = task
        self._file = file
        self._slots: deque[int] = deque()  # full ones, which begin at `_first`
        self._first = 0
        self._recent = bytearray()
        self._sources: list[tuple[int, int]] = []  # step and stream, of the bytes from the offset in `_changes` on
        self._changes: list[int] = []
        self.start = self.end = 0

    def append(self, step: int, stream: int, block: bytes) -> None:
        """Append what a step wrote. Without room on the disk, older output is dropped."""
        if not self._sources or self._sources[-1] != (step, stream):
            self._sources.append((step, stream))
            self._changes.append(self.end)
        self._recent += block
        self.end += len(block)
        while len(self._recent) >= SLOT_BYTES:
            try:
                self._slots.append(self._file.store(bytes(self._recent[:SLOT_BYTES])))
            except OSError:
                self._drop(len(self._slots))
                self._first += SLOT_BYTES
            del self._recent[:SLOT_BYTES]
        self._drop(len(self._slots) - MOST_SLOTS)
        self.start = max(self.start, self._first)
        if len(self._changes) > MOST_CHANGES:
            self.start = max(self.start, self._changes[MOST_CHANGES // 2])
        place = bisect_right(self._changes, self.start) - 1
        if place > MOST_CHANGES // 4 or (place > 0 and len(self._changes) > MOST_CHANGES):
            del self._changes[:place], self._sources[:place]

    def read(self, offset: int) -> Output | None:
        """Return output from `offset` on, which is not before `start`: a piece that one step wrote to one stream; None at `end`."""
        if offset >= self.end:
            return None
        place = bisect_right(self._changes, offset) - 1
        step, stream = self._sources[place]
        until = self._changes[place + 1] if place + 1 < len(self._changes) else self.end
        slot, within = divmod(offset - self._first, SLOT_BYTES)
        size = min(until - offset, SLOT_BYTES - within, MOST_OUTPUT_BYTES)
        if slot < len(self._slots):
            data = self._file.load(self._slots[slot], within + size)[within:]
        else:
            data = bytes(self._recent[within : within + size])
        return Output(self.task, step, stream, offset, data)

    def _drop(self, count: int) -> None:
        for _ in range(count):
            self._file.release(self._slots.popleft())
            self._first += SLOT_BYTES
