"""The emulated terminals of the tasks, and the output of all tasks as one terminal.

Memory is bounded: each terminal has a bounded history, and of the output of all tasks the newest part is kept until its terminal
is shown for the first time. Terminals are made when a task prints.
"""

from __future__ import annotations

import re
import time
from collections import deque

from .._native import TerminalEmulator
from ..output.drawing.sanitize import Sanitizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HISTORY_LINES = 3_000
UNWRAPPED_COLUMNS = 400
"""How wide a terminal is whose lines are not wrapped."""

_RECENT_BYTES = 512 << 10  # of the output of all tasks
_SEARCHED_BYTES = 256 << 10  # of the output of a task, in which its URL is searched
_CONTROL = re.compile(rb"\x1b\[[0-9;:]*[A-Za-z]")
# Atomic groups, because a URL whose end has not arrived must not match in part.
_URL = re.compile(rb"https?://(?>\[::1?\]|[\w.-]+)(?>(?::\d+)?)[\w/%#?&=.,~+-]*+(?=[^\w/%#?&=.,~+-])")
_COLOURS = (36, 33, 35, 32, 34, 31)  # of the names in the output of all tasks


class Terminals:
    """The terminals of a run."""

    def __init__(
        self,
        *,
        history: int = HISTORY_LINES,
        is_piped: bool = False,
        label: Callable[[int], str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Each terminal keeps `history` lines. If output `is_piped`, lines end without the carriage return that a terminal adds; `label` returns the name of a task. `clock` is the time of day in seconds."""
        self._history = history
        self._is_piped = is_piped
        self._label = label
        self._clock = clock
        self.rows, self.columns = 24, 80
        self.is_wrapping = True
        self.has_timestamps = False
        self._of_task: dict[int, TerminalEmulator] = {}
        self._finders: dict[int, UrlFinder] = {}
        self._merged: TerminalEmulator | None = None
        self._recent: deque[tuple[float, int, bytes]] = deque()
        self._recent_bytes = 0
        self._lines: dict[int, _Lines] = {}

    def feed(self, task: int, data: bytes) -> bytes:
        """Take output of a task. Returns the reply of its terminal, if the output contains a query."""
        moment = self._clock()
        if self._merged is not None:
            self._feed_merged(moment, task, data)
        else:
            self._recent.append((moment, task, data))
            self._recent_bytes += len(data)
            while self._recent_bytes > _RECENT_BYTES and len(self._recent) > 1:
                self._recent_bytes -= len(self._recent.popleft()[2])
        return self.of(task).feed(data.replace(b"\n", b"\r\n") if self._is_piped else data)

    def find_url(self, task: int, data: bytes) -> str | None:
        """Return the first URL in the output of a task since it started, once `data` completes it."""
        return self._finders.setdefault(task, UrlFinder()).feed(data)

    def restarted(self, task: int) -> None:
        """Record that a task starts again: its URL may be another one."""
        self._finders.pop(task, None)

    def of(self, task: int) -> TerminalEmulator:
        """Return the terminal of a task."""
        if task not in self._of_task:
            self._of_task[task] = self._new()
        return self._of_task[task]

    def merged(self) -> TerminalEmulator:
        """Return the output of all tasks, each line with the name of its task."""
        if self._merged is None:
            self._merged = self._new()
            for moment, task, data in self._recent:
                self._feed_merged(moment, task, data)
            self._recent.clear()
            self._recent_bytes = 0
        return self._merged

    def resize(self, rows: int, columns: int) -> bool:
        """Set the size of all terminals. Returns whether that is a change."""
        if (rows, columns) == (self.rows, self.columns):
            return False
        self.rows, self.columns = rows, columns
        self._fit()
        return True

    def toggle_wrapping(self) -> None:
        """Wrap long lines, or do not: a terminal is wider than its view then."""
        self.is_wrapping = not self.is_wrapping
        self._fit()

    @staticmethod
    def clear(terminal: TerminalEmulator) -> None:
        """Remove the history and the text of a terminal."""
        terminal.feed(b"\x1b[H\x1b[2J\x1b[3J")
        terminal.scroll_to_end()

    def _feed_merged(self, moment: float, task: int, data: bytes) -> None:
        lines = self._lines.get(task)
        if lines is None:
            lines = self._lines[task] = _Lines(self._label(task), _COLOURS[len(self._lines) % len(_COLOURS)])
        stamp = time.strftime("%H:%M:%S ", time.localtime(moment)) if self.has_timestamps else ""
        if self._merged is not None:
            self._merged.feed(lines.feed(data, stamp))

    def _new(self) -> TerminalEmulator:
        return TerminalEmulator(self.rows, self._width, history=self._history)

    @property
    def _width(self) -> int:
        return self.columns if self.is_wrapping else max(self.columns, UNWRAPPED_COLUMNS)

    def _fit(self) -> None:
        for terminal in (*self._of_task.values(), *([self._merged] if self._merged else ())):
            terminal.resize(self.rows, self._width)


class _Lines:
    """Turns the output of one task into whole lines with its name. Control sequences other than colours are removed."""

    def __init__(self, label: str, colour: int) -> None:
        self._label = label
        self._colour = colour
        self._sanitizer = Sanitizer()
        self._rest = b""

    def feed(self, data: bytes, stamp: str) -> bytes:
        """Return the lines that `data` completes."""
        lines, end, rest = (self._rest + self._sanitizer(data)).rpartition(b"\n")
        self._rest = rest[-4096:]
        if not end:
            return b""
        prefix = f"\x1b[0m\x1b[2m{stamp}\x1b[0m\x1b[{self._colour}m{self._label}\x1b[0m │ ".encode()
        return b"".join((prefix, lines.replace(b"\n", b"\x1b[0m\r\n" + prefix), b"\x1b[0m\r\n"))


class UrlFinder:
    """Finds the first URL that a task prints."""

    def __init__(self) -> None:
        self._tail = b""
        self._left = _SEARCHED_BYTES

    def feed(self, data: bytes) -> str | None:
        """Return the URL once the output contains it, and None before and afterwards."""
        if self._left <= 0:
            return None
        self._left -= len(data)
        text = self._tail + data
        if b"http" not in text:
            self._tail = text[-4:]
            return None
        found = _URL.search(_CONTROL.sub(b"", text))
        if found is None:
            self._tail = text[-1024:]
            return None
        self._left = 0
        return (
            found[0].decode(errors="replace").replace("0.0.0.0", "localhost").replace("[::]", "localhost").rstrip(".,")
        )
