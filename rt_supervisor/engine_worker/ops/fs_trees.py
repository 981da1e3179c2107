"""Whole trees of folders for `ops/fs.py`: made with their parents, removed with all that is in them."""

from __future__ import annotations

import os
import stat as modes

from ..problems import SystemCallFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    Path = str | bytes


def _text(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "replace")


def make_folders(path: Path, mode: int) -> str | None:
    """Make `path` and its parents; return the first folder that was made, as far as `path` names it, or None."""
    missing: list[bytes] = []
    folder = os.fsencode(path)
    while True:
        try:
            about = os.stat(folder)
        except FileNotFoundError as error:
            if folder in (b".", b""):
                raise SystemCallFailed(error, "mkdir", _text(path)) from error
            missing.append(folder.rstrip(b"/"))
            folder = os.path.dirname(missing[-1]) or b"."
            continue
        except OSError as error:
            raise SystemCallFailed(error, "mkdir", _text(path)) from error
        if not modes.S_ISDIR(about.st_mode):
            import errno

            number = errno.ENOTDIR if missing else errno.EEXIST
            raise SystemCallFailed(OSError(number, os.strerror(number)), "mkdir", _text(path))
        break
    for each in reversed(missing):
        try:
            os.mkdir(each, mode)
        except FileExistsError:
            continue  # somebody else made it meanwhile
        except OSError as error:
            raise SystemCallFailed(error, "mkdir", _text(path)) from error
    return _text(missing[-1]) if missing else None


def remove(path: Path, recursive: bool, force: bool) -> bool:
    """Remove a file or, with `recursive`, a whole tree. False for a folder that may not be removed."""
    try:
        about = os.lstat(path)
    except OSError as error:
        if force and isinstance(error, FileNotFoundError):
            return True
        raise SystemCallFailed(error, "lstat", _text(path)) from error
    if not modes.S_ISDIR(about.st_mode):
        _remove(path, is_folder=False)
        return True
    if not recursive:
        return False
    _remove_tree(path)
    return True


def _remove(path: Path, *, is_folder: bool) -> None:
    try:
        if is_folder:
            os.rmdir(path)
        else:
            os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise SystemCallFailed(error, "rm", _text(path)) from error


def _remove_tree(path: Path) -> None:
    """Depth first without recursion: a tree may be deeper than Python's stack."""
    waiting: list[Path] = [path]
    folders: list[Path] = []
    while waiting:
        folder = waiting.pop()
        folders.append(folder)
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        _remove(entry.path, is_folder=False)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise SystemCallFailed(error, "rm", _text(folder)) from error
    for folder in reversed(folders):
        _remove(folder, is_folder=True)
