"""Receiving and blocking signals, and terminating by one.

The interpreter's own `_signal` is used: the public module builds enums, which costs more than a process start.
"""

from __future__ import annotations

import _signal
import os
import sys

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SIGHUP = int(_signal.SIGHUP)
SIGINT = int(_signal.SIGINT)
SIGQUIT = int(_signal.SIGQUIT)
SIGKILL = int(_signal.SIGKILL)
SIGTERM = int(_signal.SIGTERM)
SIGCHLD = int(_signal.SIGCHLD)
SIGSTOP = int(_signal.SIGSTOP)
SIGCONT = int(_signal.SIGCONT)
SIGPIPE = int(_signal.SIGPIPE)
SIGWINCH = int(_signal.SIGWINCH)
SIGUSR1 = int(_signal.SIGUSR1)
SIGUSR2 = int(_signal.SIGUSR2)
SIGALRM = int(_signal.SIGALRM)


def ignored_signals() -> int:
    """Return a mask of the signals that this process has ignored from its start (`nohup`, `&` in a script): bit n =
    signal n."""
    mask = 0
    for number in (SIGHUP, SIGINT, SIGQUIT, SIGTERM):
        if _signal.getsignal(number) == _signal.SIG_IGN:
            mask |= 1 << number
    return mask


IGNORE = int(_signal.SIG_IGN)
DEFAULT = int(_signal.SIG_DFL)


def die_of(number: int) -> None:
    """Terminate this process by signal `number`, so that its parent sees the reason; exit with 128+n if that is not
    possible."""
    _signal.signal(number, _signal.SIG_DFL) if number not in (SIGKILL, SIGSTOP) else None
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [number])
    _without_core_file()
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def _without_core_file() -> None:
    """Disable core files: the script has left its own if one is wanted, and rt's would replace it."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def block(numbers: Iterable[int]) -> None:
    """Block the signals `numbers`."""
    _signal.pthread_sigmask(_signal.SIG_BLOCK, numbers)


class SignalQueue:
    """Reads blocked signals one by one, each with its sender. `fileno` becomes readable when one arrives."""

    _RECORD_BYTES = 128  # struct signalfd_siginfo: the number at 0, the code at 8

    def __init__(self, numbers: Iterable[int]) -> None:
        """Block the signals `numbers` and queue them here from now on."""
        numbers = tuple(numbers)
        block(numbers)
        self.mask = sum(1 << number for number in numbers)  # bit n = signal n
        self._descriptor = _native.signal_descriptor(self.mask)

    def fileno(self) -> int:
        return self._descriptor

    def take(self) -> list[tuple[int, bool]]:
        """Return the signals that have arrived: (number, whether a process sent it rather than the terminal or the
        kernel)."""
        try:
            data = os.read(self._descriptor, 16 * self._RECORD_BYTES)
        except BlockingIOError:
            return []
        records = (data[start : start + 12] for start in range(0, len(data), self._RECORD_BYTES))
        order = sys.byteorder
        return [(int.from_bytes(r[0:4], order), int.from_bytes(r[8:12], order, signed=True) <= 0) for r in records]
