"""rm. It refuses to remove the root, the home folder, their ancestors, and `.` and `..`, also by other paths.

`rm -rf "$UNSET/"` therefore prints an error, also for root.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .calls import Call, Options


def rm(call: Call) -> int:
    long = {"recursive": "r", "force": "f", "dir": "d", "verbose": "v"}
    options = call.options("rRfdv", "", long)
    if not options.operands:
        if options.has("f"):
            return 0
        return call.fail("missing operand\nusage: rm [-rRfdv] file ...")
    is_deep = options.has("r") or options.has("R")
    protected = protected_folders(call) if is_deep else ()
    status = 0
    for name in options.operands:
        last = name.rstrip("/").rpartition("/")[2]
        if last in (".", ".."):
            status = call.fail(f'"." and ".." may not be removed: {name}')
            continue
        try:
            found = os.lstat(call.path(name) if name else "")
        except FileNotFoundError as error:
            if not options.has("f"):
                status = call.report_os_error(name, error)
            continue
        except (OSError, ValueError) as error:
            if not (options.has("f") and isinstance(error, NotADirectoryError)):
                status = call.report_os_error(name, error)
            continue
        if is_deep and refuses(call, name, protected):
            status = 1
            continue
        if stat.S_ISDIR(found.st_mode):
            status = _folder(call, name, options, is_deep=is_deep) or status
        else:
            status = _file(call, name, options) or status
    return status


def protected_folders(call: Call) -> tuple[str, ...]:
    """Return the folders that must not be removed: `/` and the home folder."""
    import pwd

    found = ["/"]
    home = call.state.variables.get("HOME")
    if home and home.startswith("/"):
        found.append(home)
    try:
        found.append(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return tuple(map(os.path.realpath, found))  # the user has no passwd entry
    return tuple(map(os.path.realpath, found))


def refuses(call: Call, name: str, protected: Iterable[str]) -> bool:
    """Return whether `name` is or contains a protected folder, and print an error if so."""
    path = call.path(name)
    if os.path.islink(path.rstrip("/")) and not name.endswith("/"):
        return False  # the link only
    real = os.path.realpath(path)
    for folder in protected:
        if folder == real or folder.startswith(real.rstrip("/") + "/"):
            call.complain(f'"{name}" may not be removed: it is {_describe(real, folder)}')
            return True
    return False


def _describe(real: str, folder: str) -> str:
    if real == "/":
        return "the root of all files"
    return "your home folder" if real == folder else f"where {folder} is"


def _file(call: Call, name: str, options: Options) -> int:
    try:
        os.unlink(call.path(name))
    except OSError as error:
        return call.report_os_error(name, error)
    if options.has("v"):
        call.out.text(f"removed '{name}'\n")
    return 0


def _folder(call: Call, name: str, options: Options, *, is_deep: bool) -> int:
    if not is_deep:
        if not options.has("d"):
            return call.fail(f"{name}: Is a directory")
        try:
            os.rmdir(call.path(name))
        except OSError as error:
            return call.report_os_error(name, error)
        return 0
    return _Removal(call, verbose=options.has("v")).run(name)


class _Removal:
    """Removes everything below a folder, deepest first, without following links; works at any depth."""

    def __init__(self, call: Call, *, verbose: bool) -> None:
        self._call = call
        self._verbose = verbose
        self._status = 0

    def run(self, name: str) -> int:
        folders = [name.rstrip("/") or name]
        emptied: list[str] = []
        while folders:
            folder = folders.pop()
            emptied.append(folder)
            try:
                with os.scandir(self._call.path(folder)) as entries:
                    for entry in entries:
                        path = f"{folder}/{entry.name}"
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(path)
                        else:
                            self._remove(os.unlink, path, "removed")
            except OSError as error:
                self._status = self._call.report_os_error(folder, error)
        for folder in reversed(emptied):
            self._remove(os.rmdir, folder, "removed directory")
        return self._status

    def _remove(self, remove, path: str, words: str) -> None:  # type: ignore[no-untyped-def]
        try:
            remove(self._call.path(path))
        except FileNotFoundError:
            return
        except OSError as error:
            self._status = self._call.report_os_error(path, error)
            return
        if self._verbose:
            self._call.out.text(f"{words} '{path}'\n")
