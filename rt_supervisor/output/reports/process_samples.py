"""Samples the processes below each running step for `--trace`: when each began and ended, what it executed, its CPU time and its memory.

Only the kernel knows every process, so one that lives shorter than the pause between two samples can be missing, and an end is as exact
as that pause. The sampling takes at most a twentieth of a CPU.
"""

from __future__ import annotations

import os
import time

from ...vocabulary.events import StepStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...vocabulary.events import Event

PAUSE_S = 0.01
_LONGEST_COMMAND = 4096
_REST = 20  # the pause after a sample, as a multiple of the time that it took
# Fields of /proc/PID/stat after the name, from 0.
_PARENT, _USER, _SYSTEM, _START, _RESIDENT, _STACK = 1, 11, 12, 19, 21, 25


class SampledProcess:
    """One process. Times are monotonic seconds; `images` has what it executed, as time and words, and `parent` is its parent's pid."""

    def __init__(self, pid: int, parent: int, begun_at: float, start: str) -> None:
        """`start` is the time of its start as the kernel writes it, which distinguishes it from a later process with the same number."""
        self.start = start
        self.pid = pid
        self.parent = parent
        self.begun_at = begun_at
        self.ended_at = begun_at
        self.images: list[tuple[float, tuple[str, ...]]] = []
        self.cpu_seconds = 0.0
        self.peak_bytes = 0
        self._image: tuple[str, str] = ("", "")

    def update(self, at: float, name: str, fields: list[str]) -> None:
        """Add what a sample says. An image that cannot be read any more is left out."""
        self.ended_at = at
        ticks = int(fields[_USER]) + int(fields[_SYSTEM])
        self.cpu_seconds = ticks / os.sysconf("SC_CLK_TCK")
        self.peak_bytes = max(self.peak_bytes, int(fields[_RESIDENT]) * os.sysconf("SC_PAGE_SIZE"))
        image = (name, fields[_STACK])  # the stack has another address after each exec
        if image != self._image and (words := _words_of(self.pid)):
            self._image = image
            self.images.append((self.begun_at if not self.images else at, words))


class ProcessSamples:
    """A meter that samples the processes of running steps until `take` returns them."""

    interval_ms = int(PAUSE_S * 1000)

    def __init__(self) -> None:
        self._roots: dict[tuple[int, int], int] = {}  # task and step -> pid
        self._found: dict[tuple[int, int], dict[int, SampledProcess]] = {}
        self._next_look = 0.0

    def event(self, event: Event) -> None:
        match event:
            case StepStarted(task=task, step=step, pid=pid) if pid > 0:
                self._roots[task, step] = pid
                self._found[task, step] = {}

    def tick(self, now: float) -> None:
        """Take a sample if one is due."""
        if not self._roots or now < self._next_look:
            return
        begun = time.monotonic()
        offset = time.clock_gettime(time.CLOCK_BOOTTIME) - begun
        for at, root in self._roots.items():
            self._look(self._found[at], root, begun, offset)
        after = time.monotonic()
        self._next_look = after + max(PAUSE_S, (after - begun) * _REST)

    def take(self, task: int, step: int, *, begun_at: float, ended_at: float) -> list[SampledProcess]:
        """Return the processes of a step, in the order of their starts but the step's own first, and forget them. All are within the time
        of the step; the kernel's times of starts are multiples of 10 ms.
        """
        root = self._roots.pop((task, step), 0)
        found = self._found.pop((task, step), {})
        for pid, process in found.items():
            process.ended_at = ended_at if pid == root else min(process.ended_at, ended_at)
            process.begun_at = begun_at if pid == root else min(max(process.begun_at, begun_at), process.ended_at)
            process.images = [(min(max(at, process.begun_at), process.ended_at), words) for at, words in process.images]
        return sorted(found.values(), key=lambda each: (each.pid != root, each.begun_at, each.pid))

    def close(self) -> None:
        self._roots.clear()

    def _look(self, known: dict[int, SampledProcess], root: int, now: float, offset: float) -> None:
        """Sample the tree below `root`, and what was once part of it."""
        todo = [*known, root]
        seen: set[int] = set()
        while todo:
            pid = todo.pop()
            if pid in seen:
                continue
            seen.add(pid)
            stat = _stat_of(pid)
            if stat is None:
                continue
            name, fields = stat
            process = known.get(pid)
            if process is None:
                begun_at = min(now, int(fields[_START]) / os.sysconf("SC_CLK_TCK") - offset)
                process = known[pid] = SampledProcess(pid, int(fields[_PARENT]), begun_at, fields[_START])
            elif process.start != fields[_START]:
                continue
            process.update(now, name, fields)
            todo += _children_of(pid)


def _stat_of(pid: int) -> tuple[str, list[str]] | None:
    """Return the name of a process and the fields after it, None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    start, end = text.find("("), text.rfind(")")
    fields = text[end + 2 :].split()
    return None if fields[:1] in (["Z"], ["X"]) else (text[start + 1 : end], fields)


def _words_of(pid: int) -> tuple[str, ...]:
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            return tuple(file.read(_LONGEST_COMMAND).split("\0")[:-1])
    except OSError:
        return ()


def _children_of(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    except OSError:
        return found
    return found
