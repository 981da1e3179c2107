"""Owns: the scripts that run, as the guardian knows them, and the children that have ended.

A script is known by its key and by the pid of its process. A worker of the zygote may end before anybody has said that it
started: what is known of its end is kept until then.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    State = Literal["running", "ended", "leaving"]
    End = tuple[int, float, int]  # wait status, CPU seconds, peak bytes


class Script:
    """One started script.

    running --its process ended--> ended --what it left was asked to end--> leaving
    ended, leaving --nothing of it is alive--> (forgotten)
    """

    def __init__(self, key: int, pid: int) -> None:
        self.key = key
        self.pid = pid
        self.state: State = "running"
        self.told: int | None = None  # the last ending signal its group was sent
        self.is_condemned = False  # its leftovers get SIGKILL at once
        self.end: End  # unless it is running
        self.killed_at: float  # when leftovers get SIGKILL, while it is leaving


class Scripts:
    """All scripts that are not forgotten."""

    def __init__(self) -> None:
        self._by_key: dict[int, Script] = {}
        self._by_pid: dict[int, Script] = {}
        self._ended: dict[int, Script] = {}
        self.ended_early: dict[int, End] = {}  # by pid; only while scripts are being started

    def __len__(self) -> int:
        return len(self._by_key)

    @property
    def ended(self) -> Iterable[Script]:
        """Those whose process is gone: a copy."""
        return list(self._ended.values())

    def chosen(self, key: int | None) -> list[Script]:
        """Return the script `key`, if there is such a one; all of them for None."""
        if key is None:
            return list(self._by_key.values())
        return [self._by_key[key]] if key in self._by_key else []

    def add(self, key: int, pid: int) -> None:
        script = self._by_key[key] = Script(key, pid)
        if pid in self.ended_early:
            self._note_end(script, self.ended_early.pop(pid))
        else:
            self._by_pid[pid] = script

    def forget(self, script: Script) -> None:
        del self._by_key[script.key], self._ended[script.key]

    def is_running(self, pid: int) -> bool:
        """Whether `pid` is the process of a script."""
        return pid in self._by_pid

    def reap(self, *, is_starting: bool) -> list[int]:
        """Take note of all children that have ended; return the pids of those that are no script's as far as is known.

        `is_starting`: a child that nobody knows may be a script all the same.
        """
        strangers: list[int] = []
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return strangers
            if pid == 0:
                return strangers
            end = (status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
            if not self.note_end(pid, end):
                strangers.append(pid)
                if is_starting:
                    self.ended_early[pid] = end

    def note_end(self, pid: int, end: End) -> bool:
        """Take note that the process `pid` has ended; False where it is no script's as far as is known."""
        script = self._by_pid.pop(pid, None)
        if script is None:
            return False
        self._note_end(script, end)
        return True

    def _note_end(self, script: Script, end: End) -> None:
        script.state = "ended"
        script.end = end
        self._ended[script.key] = script
