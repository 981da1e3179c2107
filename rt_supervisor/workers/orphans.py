"""`--no-orphans`: rt receives SIGTERM when its parent ends, and so ends with everything that it has started."""

from __future__ import annotations

import os
import signal

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Have the kernel send SIGTERM to this process when its parent ends, also if it has ended already.

    The kernel counts the thread that started this process as the parent.
    """
    import ctypes

    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)
