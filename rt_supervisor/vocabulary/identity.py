"""Identities of files, which show whether a file has changed even if its events were lost.

Identities are only compared for equality, so the clock of the file system does not matter.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Identity: TypeAlias = tuple[int, int, int] | None
    """(mtime in ns, size in bytes, inode); None if the file does not exist."""


def identity_of(path: str) -> Identity:
    """Return the identity of a file; that of a folder does not depend on its entries."""
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(about.st_mode):
        return (0, 0, about.st_ino)
    return (about.st_mtime_ns, about.st_size, about.st_ino)
