"""Samples the memory and the CPU time of the process tree of each running step.

At the end of a step, the kernel only reports the largest of its processes, and nothing about those that it did not wait
for. psutil takes the samples; it is imported for the first one, so a run shorter than `FIRST_LOOK_S` does not pay for
it, and a longer one uses at most a hundredth of a CPU.
"""

from __future__ import annotations

import os
import time

from ...vocabulary.events import StepEnded, StepStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...vocabulary.events import Event
    from .timings import Timings

FIRST_LOOK_S = 0.5
_REST = 100  # the pause after a sample, as a multiple of the time that it took


class TreeMemory:
    """An observer that records in `timings` the largest sampled memory of each step's process tree."""

    interval_ms = int(FIRST_LOOK_S * 1000)

    def __init__(self, timings: Timings) -> None:
        self._timings = timings
        self._running: dict[int, tuple[int, int]] = {}  # pid -> (task, step)
        self._next_look = time.monotonic() + FIRST_LOOK_S

    def event(self, event: Event) -> None:
        match event:
            case StepStarted(task=task, step=step, pid=pid):
                self._running[pid] = (task, step)
            case StepEnded(task=task, step=step):
                self._running = {pid: place for pid, place in self._running.items() if place != (task, step)}

    def tick(self, now: float) -> None:
        """Take a sample if one is due."""
        if now < self._next_look:
            return
        if self._running:
            self.look()
        after = time.monotonic()
        self._next_look = after + max(FIRST_LOOK_S, (after - now) * _REST)

    def look(self) -> None:
        """Record the current memory of each tree."""
        private: dict[int, int] = {}
        shared: dict[int, int] = {}
        for root, process in _processes_of_trees(set(self._running)):
            memory = process.memory
            # Pages that processes share, such as a runtime's code, count once.
            shared[root] = max(shared.get(root, 0), memory.shared)
            private[root] = private.get(root, 0) + memory.rss - memory.shared
        for root, bytes_ in private.items():
            task, step = self._running[root]
            times = self._timings.tasks[task].steps[step]
            times.tree_peak_bytes = max(times.tree_peak_bytes or 0, bytes_ + shared[root])

    def close(self) -> None:
        return


class _Usage:
    """What one process uses: `memory` as psutil describes it, and its CPU time with that of its reaped children."""

    def __init__(self, memory: Any, cpu_seconds: float) -> None:
        self.memory = memory
        self.cpu_seconds = cpu_seconds


def usage_of_trees(roots: set[int]) -> dict[int, tuple[float, int]]:
    """Return the CPU seconds and the resident bytes of the process tree below each of `roots`, which are descendants of this process."""
    cpu_seconds = dict.fromkeys(roots, 0.0)
    private = dict.fromkeys(roots, 0)
    shared = dict.fromkeys(roots, 0)
    for root, process in _processes_of_trees(roots):
        cpu_seconds[root] += process.cpu_seconds
        private[root] += process.memory.rss - process.memory.shared
        shared[root] = max(shared[root], process.memory.shared)
    return {root: (cpu_seconds[root], private[root] + shared[root]) for root in roots}


def _processes_of_trees(roots: set[int]) -> list[tuple[int, _Usage]]:
    """Return (root, usage) of each process at or below one of `roots`, which are descendants of this process."""
    import psutil

    found = []
    root_of: dict[int, int] = {}
    for process in psutil.Process().children(recursive=True):  # parents come before their children
        try:
            with process.oneshot():
                pid = process.pid
                root = pid if pid in roots else root_of.get(process.ppid()) or _group_in(pid, roots)
                if root is not None:
                    root_of[pid] = root
                    times = process.cpu_times()
                    cpu_seconds = times.user + times.system + times.children_user + times.children_system
                    found.append((root, _Usage(process.memory_info(), cpu_seconds)))
        except (psutil.Error, OSError):  # the process has just ended
            continue
    return found


def _group_in(pid: int, roots: set[int]) -> int | None:
    """Return the root whose process group an orphan still belongs to."""
    group = os.getpgid(pid)
    return group if group in roots else None
