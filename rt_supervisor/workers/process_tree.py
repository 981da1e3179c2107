"""Which processes descend from one, and how to end them all so that none escapes by forking.

Reads `/proc`: no library is quick enough while a process is being killed. Without it, all that carry the mark of this
process count as its children. Processes that start children while they are being ended are stopped first, and the walk
repeats until it finds nothing new.
"""

from __future__ import annotations

import os
import time

from .. import _native
from .signals import SIGKILL, SIGSTOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def children_of(pid: int) -> list[int]:
    """Return the pids of the children of `pid`, zombies included; empty when it is gone."""
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return _native.below_self() if pid == os.getpid() else found
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb", buffering=0) as file:
                found += map(int, file.read().split())
        except OSError:
            continue
    return found


def descendants_of(roots: Iterable[int], *, within: Callable[[int], bool] | None = None) -> list[int]:
    """Return the pids of all processes below `roots`, without them, parents before their children.

    With `within`, a process for which it is false is left out, with all below it.
    """
    found: list[int] = []
    seen = set()
    waiting = list(roots)
    while waiting:
        for child in children_of(waiting.pop()):
            if child not in seen and (within is None or within(child)):
                seen.add(child)
                found.append(child)
                waiting.append(child)
    return found


def send(pid: int, number: int) -> bool:
    """Send signal `number` to `pid`; False when it is gone or not ours to signal."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def send_to_group(group: int, number: int) -> bool:
    """Send signal `number` to a process group; False when it is gone or not ours to signal."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def group_of(pid: int) -> int:
    """Return the process group of `pid`, -1 when it is gone."""
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return -1


def environment_of(pid: int) -> list[bytes]:
    """Return the environment that `pid` was started with, as `NAME=value`; empty when it cannot be read."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def is_gone(pid: int) -> bool:
    """Tell whether `pid` does not exist or is a zombie."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            return file.read(512).rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except (OSError, IndexError):
        return _native.is_gone(pid)


def ignores(pid: int, number: int) -> bool:
    """Tell whether process `pid` ignores signal `number` (as the background jobs of a script ignore SIGINT)."""
    try:
        with open(f"/proc/{pid}/status", "rb", buffering=0) as file:
            mask = int(file.read(4096).partition(b"SigIgn:")[2].split()[0], 16)
    except (OSError, IndexError):
        return False
    return bool(mask & 1 << (number - 1))


def kill_below(
    root: int, *, spare: Callable[[int], bool] | None = None, reap: Callable[[], None], deadline_s: float = 2.0
) -> bool:
    """Kill everything below process `root` until nothing is left; False when something outlived `deadline_s` seconds.

    Processes for which `spare` is true are left alone, with all below them. `reap` collects this process's own ended
    children, so that zombies do not count as left. What may not be signalled (another user's) is not waited for.
    """
    end = time.monotonic() + deadline_s
    beyond_reach: set[int] = set()
    while True:
        stopped: set[int] = set()
        while True:
            new = [pid for pid in _below(root, spare) if pid not in stopped and pid not in beyond_reach]
            if not new:
                break
            if time.monotonic() > end:
                break
            for pid in new:
                stopped.add(pid)
                if not send(pid, SIGSTOP) and not is_gone(pid):
                    beyond_reach.add(pid)
        for pid in stopped:
            send(pid, SIGKILL)
        reap()
        left = [pid for pid in _below(root, spare) if pid not in beyond_reach and not is_gone(pid)]
        if not left:
            return True
        if time.monotonic() > end:
            return False
        if not stopped.isdisjoint(left):
            time.sleep(0.001)


def _below(root: int, spare: Callable[[int], bool] | None) -> list[int]:
    top = children_of(root)
    if spare is not None:
        top = [pid for pid in top if not spare(pid)]
    return top + descendants_of(top)
