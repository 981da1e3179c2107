"""The folder of V8's prepared files in the user's cache: made at the first start, kept small.

Files appear whole, by renaming, so that starts at the same time neither wait for each other nor see half a file.
"""

from __future__ import annotations

import os
import time

from .. import _native
from .library import LIBRARY, MAPPED_ICU_DATA, PREPARED_NS, WHEEL_ICU_DATA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

KEPT_FOLDERS = 3  # one a version of V8, 84 MB each
KEPT_SNAPSHOTS = 8  # one a version of rt, or an edit of its JavaScript, 1.3 MB each
_SNAPSHOT = ".snapshot"
_ABANDONED_AFTER_S = 120
_BLOCK_SIZE = 1 << 20


def make(folder: str, wheel: str) -> bool:
    """Fill `folder` from the files of the wheel; False if another process is at it. Raises OSError."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    lock = os.path.join(folder, "making")
    if not _acquire(lock):
        return False
    draft = os.path.join(folder, f"{os.getpid()}.draft")
    try:
        _native.prelink(os.path.join(wheel, LIBRARY), draft)
        os.chmod(draft, 0o700)
        os.utime(draft, ns=(PREPARED_NS, PREPARED_NS))
        _link(os.path.join(wheel, WHEEL_ICU_DATA), draft + ".icu")
        os.replace(draft + ".icu", os.path.join(folder, MAPPED_ICU_DATA))
        os.replace(draft, os.path.join(folder, LIBRARY))
    except OSError:
        _remove(draft)
        _remove(draft + ".icu")
        raise
    finally:
        _remove(lock)
    _forget_old(os.path.dirname(folder), folder)
    return True


def _acquire(lock: str) -> bool:
    """Take the lock file; one left behind by a process that died counts no more after a while."""
    for _ in range(2):
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            return True
        except FileExistsError:
            try:
                age = time.time() - os.stat(lock).st_mtime
            except OSError:
                continue
            if 0 <= age < _ABANDONED_AFTER_S:
                return False
            _remove(lock)
    return False


def put(path: str, data: bytes) -> bool:
    """Keep a snapshot; whether that was possible."""
    draft = f"{path}.{os.getpid()}.draft"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
        os.replace(draft, path)
        _forget_old_snapshots(os.path.dirname(path))
        return True
    except OSError:
        _remove(draft)
        return False


def _forget_old(parent: str, current: str) -> None:
    folders = _newest_first(os.path.join(parent, name) for name in os.listdir(parent))
    for folder in folders[KEPT_FOLDERS:]:
        if folder != current:
            for name in os.listdir(folder):
                _remove(os.path.join(folder, name))
            os.rmdir(folder)


def _forget_old_snapshots(folder: str) -> None:
    paths = _newest_first(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(_SNAPSHOT))
    for path in paths[KEPT_SNAPSHOTS:]:
        _remove(path)


def _newest_first(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: os.lstat(path).st_mtime, reverse=True)


def _link(source: str, target: str) -> None:
    """Have `source` under another name too, or a copy of it where that cannot be."""
    try:
        os.link(source, target)
        return
    except OSError:
        pass  # another file system, or one without links
    with open(source, "rb") as reader, open(target, "wb") as writer:
        while block := reader.read(_BLOCK_SIZE):
            writer.write(block)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
