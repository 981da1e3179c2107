"""Owns: signals to scripts, and the end of what they leave behind: asked first, killed after a grace.

What a script left is found by its process group, or by the mark in its environment; where scripts share rt's own group, all
that became the guardian's child is theirs.
"""

from __future__ import annotations

import os
import time

from .. import process_tree, signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Protocol

    from .scripts import Script, Scripts

    class Processes(Protocol):
        """What the functions of `workers.process_tree` tell of processes, and do to them."""

        def children_of(self, pid: int) -> list[int]: ...
        def descendants_of(self, roots: Iterable[int], *, within: Callable[[int], bool] | None = None) -> list[int]: ...
        def group_of(self, pid: int) -> int: ...
        def environment_of(self, pid: int) -> list[bytes]: ...
        def is_gone(self, pid: int) -> bool: ...
        def ignores(self, pid: int, number: int) -> bool: ...
        def send(self, pid: int, number: int) -> bool: ...
        def send_to_group(self, group: int, number: int) -> bool: ...
        def kill_below(
            self, root: int, *, spare: Callable[[int], bool] | None = None, reap: Callable[[], None]
        ) -> bool: ...

    class Starting(Protocol):
        """What `starts.Starts` knows of children that are no scripts, or not yet."""

        @property
        def zygote_pid(self) -> int: ...
        @property
        def held_pid(self) -> int: ...
        @property
        def under_way(self) -> int: ...


SCRIPT_MARK = "_RT_SCRIPT"
LEFTOVER_GRACE_S = 0.1


def mark_of(key: int) -> str:
    """Return the value of `SCRIPT_MARK` in the environment of script `key` of this guardian."""
    return f"{os.getpid()}.{key}"


class Leftovers:
    """Ends scripts and what they leave."""

    def __init__(
        self,
        scripts: Scripts,
        starts: Starting,
        *,
        shared_group: int | None,
        grace_s: float,
        reap: Callable[[], None],
        processes: Processes = process_tree,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`reap` takes note of children that have ended. `clock` counts seconds and never goes back."""
        self._processes = processes
        self._clock = clock
        self._scripts = scripts
        self._starts = starts
        self._shared_group = shared_group
        self._grace_s = grace_s
        self._reap = reap
        self._pid = os.getpid()
        self.watcher = 0  # a child that is no script's

    def timeout_ms(self) -> float | None:
        """Return how long it is until something has to be killed."""
        moments = [script.killed_at for script in self._scripts.ended if script.state == "leaving"]
        return max(1.0, (min(moments) - self._clock()) * 1000) if moments else None

    def signal(self, script: Script, number: int) -> None:
        """Send `number` to the script's group once; a stopped process is continued so that it can act on its end."""
        if script.state != "running":
            return
        if number in (signals.SIGINT, signals.SIGTERM, signals.SIGHUP):
            script.told = number
        wakes = number in (signals.SIGTERM, signals.SIGHUP)
        if self._shared_group is None:
            for each in (number, signals.SIGCONT) if wakes else (number,):
                if not self._processes.send_to_group(script.pid, each):
                    return
            return
        # What lies below a process that left the group - the guardian of another rt - has somebody else to tell it.
        group_of = self._processes.group_of
        for pid in self._processes.descendants_of([self._pid], within=lambda pid: group_of(pid) == self._shared_group):
            self._processes.send(pid, number)

    def kill(self, script: Script) -> None:
        """Kill the script's whole tree."""
        script.is_condemned = True
        mine = {script.pid, *self._of(script)}
        self._processes.kill_below(self._pid, spare=lambda pid: pid not in mine, reap=self._reap)

    def kill_everything(self) -> None:
        """Kill all that is below this process."""
        for script in self._scripts.chosen(None):
            script.is_condemned = True
        self._processes.kill_below(self._pid, reap=self._reap)

    def finish(self) -> list[Script]:
        """Forget, and return, each ended script of which nothing is alive any more; see to the end of what others left."""
        now = self._clock()
        finished: list[Script] = []
        for script in self._scripts.ended:
            left = [pid for pid in self._of(script) if not self._processes.is_gone(pid)]
            is_late = script.state == "leaving" and now >= script.killed_at
            if left and (script.is_condemned or is_late):
                self.kill(script)
                left = []
            if not left:
                self._scripts.forget(script)
                finished.append(script)
            elif script.state == "ended":
                self._ask_to_end(script, left, now)
        return finished

    def _ask_to_end(self, script: Script, left: list[int], now: float) -> None:
        """Have what a script left behind end: what its group was told already has as long as the script had."""
        script.state = "leaving"
        script.killed_at = now + (LEFTOVER_GRACE_S if script.told is None else self._grace_s)
        group = script.pid if self._shared_group is None else self._shared_group
        for pid in dict.fromkeys((*left, *self._processes.descendants_of(left))):
            was_told = script.told is not None and self._processes.group_of(pid) == group
            if not was_told or (script.told == signals.SIGINT and self._processes.ignores(pid, signals.SIGINT)):
                self._processes.send(pid, signals.SIGTERM)
                self._processes.send(pid, signals.SIGCONT)

    def _of(self, script: Script) -> list[int]:
        """Return the adopted processes that came from `script`: by its process group or by the mark in their environment."""
        own = (self._starts.zygote_pid, self._starts.held_pid, self.watcher)
        orphans = [
            pid
            for pid in self._processes.children_of(self._pid)
            if not self._scripts.is_running(pid) and pid not in own
        ]
        is_alone = len(self._scripts) == 1 and not self._starts.under_way
        if not orphans or self._shared_group is not None or is_alone:
            return orphans
        mark = f"{SCRIPT_MARK}={mark_of(script.key)}".encode()
        processes = self._processes
        return [
            pid for pid in orphans if processes.group_of(pid) == script.pid or mark in processes.environment_of(pid)
        ]
