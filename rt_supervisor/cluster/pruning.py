"""Keeps the stored files of an agent within a limit: removes the contents and installed packages that were not used for longest.

The time of the last use of a content is the time of its change of status, which a link into a tree updates; that of a folder of packages
is the time of its modification. A file that other links lead to is counted once, and stays, because its removal would free nothing. What was used within
`_RECENT_S` stays as well: a run that is being prepared may need it. One agent prunes at a time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CONTENTS = "contents"
PACKAGES = "packages"
_RECENT_S = 600.0
_BLOCK_BYTES = 512


@record
class Stored:
    """A content or a folder of packages: the bytes that its removal would free, and when it was last used."""

    path: str
    size: int
    used_s: float


def prune(folder: str, limit_bytes: int, *, now_s: float | None = None) -> int:
    """Prune the agent's `folder`, unless another process does so. Return how many bytes were freed."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "pruning"), "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return 0
        return _prune(folder, limit_bytes, time.time() if now_s is None else now_s)


def _prune(folder: str, limit_bytes: int, now_s: float) -> int:
    total, removable = 0, []
    for size, stored in (*_contents(os.path.join(folder, CONTENTS)), *_packages(os.path.join(folder, PACKAGES))):
        total += size
        if stored.size and now_s - stored.used_s > _RECENT_S:
            removable.append(stored)
    freed = 0
    for stored in sorted(removable, key=lambda each: each.used_s):
        if total - freed <= limit_bytes:
            break
        with contextlib.suppress(OSError):  # another process may have removed it
            _remove(stored.path)
            freed += stored.size
    return freed


def _remove(path: str) -> None:
    if os.path.isdir(path):
        gone = f"{path}.gone"  # no run may link to a half of it
        os.rename(path, gone)
        shutil.rmtree(gone, ignore_errors=True)
    else:
        os.unlink(path)


def _contents(folder: str) -> Iterator[tuple[int, Stored]]:
    """Yield the bytes of each content, and what its removal would free."""
    for first in _entries(folder):
        for entry in _entries(first.path):
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                size = about.st_blocks * _BLOCK_BYTES
                yield size, Stored(entry.path, size if about.st_nlink == 1 else 0, about.st_ctime)


def _packages(folder: str) -> Iterator[tuple[int, Stored]]:
    for entry in _entries(folder):
        with contextlib.suppress(OSError):
            size, free = _sizes(entry.path)
            yield size, Stored(entry.path, free, entry.stat(follow_symlinks=False).st_mtime)


def _sizes(folder: str) -> tuple[int, int]:
    """Return the bytes of the files below `folder`, and those that no link outside of it leads to."""
    links: dict[int, int] = {}
    files: dict[int, os.stat_result] = {}
    for at, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                about = os.lstat(os.path.join(at, name))
                files[about.st_ino] = about
                links[about.st_ino] = links.get(about.st_ino, 0) + 1
    size = sum(about.st_blocks for about in files.values())
    free = sum(about.st_blocks for number, about in files.items() if about.st_nlink == links[number])
    return size * _BLOCK_BYTES, free * _BLOCK_BYTES


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except OSError:
        return []
