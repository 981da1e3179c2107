"""Identities of files, which show whether a file has changed even if its events were lost.

Identities are only compared for equality, so the clock of the file system does not matter.
"""

from __future__ import annotations

import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Identity: TypeAlias = tuple[int, int, int] | None
    """(mtime in ns, size in bytes, inode); None if the file does not exist."""


_CLOCK_REALTIME_COARSE = 5  # of Linux; `time` has no name for it


def file_time_ns() -> int:
    """Return the earliest time of change, in nanoseconds since the epoch, that a file can get from now on.

    The kernel's clock for files is some milliseconds behind `time.time_ns`.
    """
    return time.clock_gettime_ns(_CLOCK_REALTIME_COARSE)


def identity_of(path: str) -> Identity:
    """Return the identity of a file; that of a folder does not depend on its entries."""
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(about.st_mode):
        return (0, 0, about.st_ino)
    return (about.st_mtime_ns, about.st_size, about.st_ino)
