"""The guardian of a program's children (`native/src/children/guard.rs`): which program it is, and that program where there is no
launcher that could be it. It imports nothing of rt's but the native module.

Whoever waits for the end of rt ends all that carries the mark then; `rt_start::child_guard` is the same, natively.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIGTERM = 15
GRACE_S = 0.1  # for what the program has left behind
TOLD_GRACE_S = 5.0  # when rt was told to end
STEP_S = 0.002
DEADLINE_S = 2.0
AGAIN_S = 0.005


def words() -> tuple[str, list[str]]:
    """Return the guardian's program and its command line, without the program's pid and the mark."""
    launcher = _launcher()
    if launcher is not None:
        return launcher, ["rt-child-guard"]  # `rt_start::child_guard`
    return sys.executable, [sys.executable, "-I", "-S", "-E", __file__]


def _launcher() -> str | None:
    """Return the native launcher, if it has started this process or stands beside the interpreter."""
    called = sys._xoptions.get("rt")
    beside = os.path.join(os.path.dirname(sys.executable), "rt")
    for path in (called, beside):
        if isinstance(path, str) and os.path.isabs(path) and _is_launcher(path := os.path.realpath(path)):
            return path
    return None


def _is_launcher(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF" and os.path.exists(os.path.join(os.path.dirname(path), "rt-plain"))
    except OSError:
        return False


def signal_marked(mark: int, number: int, *, outside_group: int = 0) -> int:
    """Send signal `number` to every living process that carries `mark`; return how many there were.

    Those in the process group `outside_group` are counted only.
    """
    count: int = _native().signal_marked(mark, number, outside_group)
    return count


def _native() -> Any:
    """rt's native module, also where this file is a program."""
    if __package__:
        from ... import _native

        return _native
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(3):
        folder = os.path.dirname(folder)
    sys.path.append(folder)
    from rt_supervisor import _native as module

    return module


def end_marked(mark: int, *, grace_s: float = GRACE_S, told_group: int = 0) -> None:
    """Ask all that carries `mark` to end, and kill what has not after the grace, until nothing is found any more.

    The process group `told_group` has been asked before.
    """
    start = time.monotonic()
    if not signal_marked(mark, SIGTERM, outside_group=told_group):
        return
    while time.monotonic() - start < grace_s:
        time.sleep(STEP_S)
        if not signal_marked(mark, 0):
            break
    _native().end_marked(mark, DEADLINE_S)


def guard(pid: int, mark: int) -> None:
    """Wait until process `pid` has ended, then end what carries `mark`; once more, for what was just being started.

    Standard input says what ended it, if it was told to end (`last_words.rs`).
    """
    import select

    group = 0
    _native()  # now: the installation may be gone when it is needed
    try:
        descriptor = os.pidfd_open(pid)
        group = os.getpgid(pid)
        if os.getppid() == pid:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.poll()
    except ProcessLookupError:
        pass
    os.set_blocking(0, False)
    try:
        last_words = os.read(0, 2)
    except BlockingIOError:  # somebody else holds the other side, and nothing was said
        last_words = b""
    if last_words:
        by_terminal = last_words[1] == 0  # then the whole foreground group got the signal
        end_marked(mark, grace_s=TOLD_GRACE_S, told_group=group if by_terminal else 0)
    else:
        end_marked(mark)
    time.sleep(AGAIN_S)
    end_marked(mark)


if __name__ == "__main__":
    guard(int(sys.argv[1]), int(sys.argv[2]))
