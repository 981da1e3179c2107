"""Sees to it that nothing a program has spawned outlives the program, whatever ends it, `kill -9` included.

Every child but a detached one carries a mark, which all its descendants inherit: a value of RLIMIT_LOCKS, a limit that no
kernel has looked at since 2.4.25. Neither a cleared environment, nor a new session, nor a second fork takes it off.
`Guard` starts the guardian with the first child: a small process that waits for rt's end and then ends what carries the
mark. What rt was told to end by (Ctrl-C, SIGTERM) comes down a pipe before: then the children have as long to clean up as
scripts have. This file is also the guardian's program, so it imports nothing of rt's but the native module.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIGTERM, SIGKILL, SIGCONT = 15, 9, 18
SHIELD = 1 << 1 | 1 << 2 | 1 << SIGTERM  # the guardian is not told to end
UNMARKED = 2**64 - 1
GRACE_S = 0.1  # for what the program has left behind
TOLD_GRACE_S = 5.0  # when rt was told to end
STEP_S = 0.002
DEADLINE_S = 2.0
AGAIN_S = 0.005


class Guard:
    """The mark of one program's children and the guardian that looks for it."""

    def __init__(self) -> None:
        self.mark = int.from_bytes(os.urandom(7), "little") | 1 << 56
        self._guardian = 0
        self._user = 0  # whose the guardian is
        self._tell = -1

    def ensure(self) -> None:
        """Start the guardian, unless it is there. Raises OSError."""
        if self._guardian:
            if _is_running(self._guardian):
                return
            os.close(self._tell)
        from ... import _native

        null = os.open(os.devnull, os.O_RDWR)
        told, self._tell = os.pipe()
        try:
            words = [sys.executable, "-I", "-S", "-E", __file__, str(os.getpid()), str(self.mark)]
            self._guardian = _native.spawn_child(
                [os.fsencode(sys.executable)],
                [os.fsencode(word) for word in words],
                [],
                b"/",
                [told, null, null],
                SHIELD,
                new_session=True,
                mark=UNMARKED,
                user=None,
                group=None,
            )
        finally:
            os.close(null)
            os.close(told)
        _native.tell_of_end(self._tell)
        self._user = os.geteuid()

    def end(self) -> None:
        """End what is left of the children, now that the program is over."""
        if not self._guardian:  # only detached ones were started
            return
        if os.geteuid() != self._user:  # the program has become another user: only its guardian may end all of them
            return
        end_marked(self.mark)
        if _is_running(self._guardian):
            os.kill(self._guardian, SIGKILL)
            os.waitpid(self._guardian, 0)


def _is_running(child: int) -> bool:
    try:
        return os.waitpid(child, os.WNOHANG)[0] == 0
    except ChildProcessError:
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
