"""What is known of files and file systems, as the figures that `js/fs_values.js` makes its objects of."""

from __future__ import annotations

import os

from ... import _native
from ..problems import SystemCallFailed
from .fs_calls import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .fs_calls import Path

MISSING = (FileNotFoundError, NotADirectoryError)


def stat(path: Path, big: bool, throws: bool) -> list[Any] | None:
    try:
        found = os.stat(path)
    except OSError as error:
        if not throws and isinstance(error, MISSING):
            return None
        raise SystemCallFailed(error, "stat", shown(path)) from error
    return _figures(found) if not big else _big_figures(found)


def lstat(path: Path, big: bool, throws: bool) -> list[Any] | None:
    try:
        return status_of(os.lstat, path, "lstat", big, path)
    except SystemCallFailed as problem:
        if not throws and isinstance(problem.error, MISSING):
            return None
        raise


def status_of(
    call: Callable[[Any], os.stat_result], subject: Any, syscall: str, big: bool, path: Path | None
) -> list[Any]:
    try:
        found = call(subject)
    except OSError as error:
        raise SystemCallFailed(error, syscall, None if path is None else shown(path)) from error
    return _big_figures(found) if big else _figures(found)


def _figures(found: os.stat_result) -> list[Any]:
    """In the order of `Stats`; the kernel's birth time is out of reach, the oldest time known stands for it."""
    accessed, modified, changed = found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns
    return [
        found.st_dev, found.st_mode, found.st_nlink, found.st_uid, found.st_gid, found.st_rdev, found.st_blksize,
        found.st_ino, found.st_size, found.st_blocks, accessed / 1e6, modified / 1e6, changed / 1e6,
        min(accessed, modified, changed) / 1e6,
    ]  # fmt: skip


def _big_figures(found: os.stat_result) -> list[Any]:
    times = [found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns]
    times.append(min(times))
    whole = [
        found.st_dev, found.st_mode, found.st_nlink, found.st_uid, found.st_gid, found.st_rdev, found.st_blksize,
        found.st_ino, found.st_size, found.st_blocks, *(each // 1_000_000 for each in times), *times,
    ]  # fmt: skip
    return [_native.BigInt(each) for each in whole]


def exists(path: Path) -> bool:
    try:
        return os.access(path, os.F_OK)
    except ValueError:
        return False


def access(path: Path, mode: int) -> None:
    if os.access(path, mode):
        return
    import errno

    try:
        os.stat(path)
        number = errno.EROFS if mode & os.W_OK and _is_read_only(path) else errno.EACCES
    except OSError as error:
        number = error.errno or errno.EACCES
    raise SystemCallFailed(OSError(number, os.strerror(number)), "access", shown(path))


def _is_read_only(path: Path) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def statfs(path: Path, big: bool) -> list[Any]:
    try:
        found = os.statvfs(path)
    except OSError as error:
        raise SystemCallFailed(error, "statfs", shown(path)) from error
    figures = [
        found.f_bsize,
        found.f_frsize,
        found.f_blocks,
        found.f_bfree,
        found.f_bavail,
        found.f_files,
        found.f_ffree,
    ]
    return [_native.BigInt(each) for each in figures] if big else list(figures)
