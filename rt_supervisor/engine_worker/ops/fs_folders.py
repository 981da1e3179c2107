"""What is in folders, where a path really leads, and folders for a while. Whole trees are in `fs_trees.py`."""

from __future__ import annotations

import os
import stat as modes

from ..problems import SystemCallFailed
from .fs_calls import path_bytes, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .fs_calls import Path

TYPES = {
    modes.S_IFREG: 1, modes.S_IFDIR: 2, modes.S_IFLNK: 3, modes.S_IFIFO: 4, modes.S_IFSOCK: 5, modes.S_IFCHR: 6,
    modes.S_IFBLK: 7,
}  # fmt: skip
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
MOST_ATTEMPTS = 100


def readdir(path: Path, typed: bool, syscall: str) -> list[Any]:
    """Names, and with `typed` their types after them (see TYPES; 0 is unknown)."""
    try:
        if not typed:
            names = os.listdir(os.fsdecode(path))
            return names if "".join(names).isascii() else [shown(name) for name in names]
        with os.scandir(path) as entries:
            found = [(entry.name, _type_of(entry)) for entry in entries]
    except OSError as error:
        raise SystemCallFailed(error, syscall, None if syscall == "opendir" else shown(path)) from error
    return [[shown(name) for name, _ in found], [kind for _, kind in found]]


def _type_of(entry: os.DirEntry[Any]) -> int:
    if entry.is_file(follow_symlinks=False):
        return 1
    if entry.is_dir(follow_symlinks=False):
        return 2
    if entry.is_symlink():
        return 3
    try:
        return TYPES.get(modes.S_IFMT(entry.stat(follow_symlinks=False).st_mode), 0)
    except OSError:
        return 0


def realpath(path: Path, native: bool) -> str:
    try:
        return shown(os.path.realpath(path, strict=True))
    except OSError as error:
        if native:
            raise SystemCallFailed(error, "realpath", shown(path)) from error
        # Node walks the path itself: the part that fails is the one it names.
        raise SystemCallFailed(error, "lstat", shown(os.path.abspath(error.filename or path))) from error


def make_temporary_folder(prefix: Path) -> str:
    for attempt in range(MOST_ATTEMPTS):
        ending = bytes(LETTERS[byte % len(LETTERS)] for byte in os.urandom(6))
        path = path_bytes(prefix) + ending
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if attempt + 1 < MOST_ATTEMPTS:
                continue
            raise
        except OSError as error:
            raise SystemCallFailed(error, "mkdtemp", shown(prefix) + "XXXXXX") from error
        return shown(path)
    raise AssertionError("a free name is found or the last attempt raises")
