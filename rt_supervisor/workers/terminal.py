"""rt's controlling terminal: whether there is one, and which signals came from it to all of rt's process group."""

from __future__ import annotations

import os

from . import signals


def has_terminal() -> bool:
    """Return whether this process has a controlling terminal."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def reached_group(number: int, *, by_process: bool) -> bool:
    """Return whether a signal reached rt's whole group: signals of keys do, but a hangup reaches only the session
    leader."""
    return not by_process and not (number == signals.SIGHUP and os.getsid(0) == os.getpid())
