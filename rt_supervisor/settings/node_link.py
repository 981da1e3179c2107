"""The private folder whose `node` is rt: `--rt` puts it first on PATH, and it replaces a node that is not installed.

It is in the user's cache, one for each rt. Without a cache, it is created below TMPDIR when it is first needed, and must be
removed (`remove`) at a normal end and before rt dies of a signal. The next rt that creates such a folder removes those of
killed ones. Only the process that created a folder removes it, so forked children may end at any time.
"""

from __future__ import annotations

import os

from .. import _native
from ..start.cache_folder import silent_folder
from ..start.dependencies import depend_on, dependencies
from ..vocabulary.errors import Failed
from .environment import DEFAULT_PATH, find_executable, search_path

_PREFIX = "rt-node-"
_NAMES = ("node", "rt")


class NodeLink:
    """Owns at most one folder below `temporary`; if that is given, the cache is not used."""

    def __init__(self, executable: str, temporary: str | None = None) -> None:
        self._executable = executable
        self._may_be_kept = temporary is None
        self._temporary = temporary or os.environ.get("TMPDIR") or "/tmp"
        self._folder: str | None = None
        self._owner = 0

    def wanted_folder(self, *, forced: bool, path: str | None, folder: str) -> str | None:
        """Return the folder if scripts in `folder` need it: with `--rt`, or because they find no node."""
        if forced:
            dependencies.prevent_caching()
            return self.folder()
        if not lacks_node(path, folder, executable=self._executable):
            return None
        try:
            return self.folder()
        except Failed:
            return None  # it was not needed

    def folder(self) -> str:
        """Return the absolute path of the folder, creating it the first time. Raises Failed."""
        kept = _kept_folder(self._executable) if self._may_be_kept else None
        if kept is not None:
            return kept
        self._may_be_kept = False
        dependencies.prevent_caching()  # the folder belongs to this run
        if self._folder is None:
            _sweep(self._temporary)
            self._owner = os.getpid()
            path = os.path.join(os.path.abspath(self._temporary), f"{_PREFIX}{self._owner}-{os.urandom(6).hex()}")
            try:
                os.mkdir(path, 0o700)
            except OSError as error:
                message = f"cannot create the temporary folder for --rt in {self._temporary}: {error.strerror}"
                raise Failed("no-temporary-folder", f"{message} (see TMPDIR)") from error
            self._folder = path
            for name in _NAMES:
                os.symlink(self._executable, os.path.join(path, name))
        return self._folder

    def remove(self) -> None:
        """Remove the folder if this process created one. Never raises; may be called repeatedly, and from a signal handler."""
        folder, self._folder = self._folder, None
        if folder is not None and self._owner == os.getpid():
            _remove(folder)


def kept_node(executable: str) -> str | None:
    """Return the path of the link named `node` in the cache, created if necessary; None without a cache."""
    folder = _kept_folder(executable)
    return None if folder is None else f"{folder}/node"


def lacks_node(path: str | None, folder: str, *, executable: str) -> bool:
    """Return whether scripts in `folder` find no node, neither on `path` nor in their packages."""
    return find_executable("node", search_path(path or DEFAULT_PATH, folder, executable=executable)) is None


def _kept_folder(executable: str) -> str | None:
    """Return the folder in the cache, created if necessary; None if that fails, or if other users could have changed it."""
    parent = silent_folder("node")
    if parent is None:
        return None
    folder = os.path.join(parent, f"{_native.checksum(os.fsencode(executable)):016x}")
    links = [os.path.join(folder, name) for name in _NAMES]
    try:
        _make_folder(folder)
        for link in links:
            if not _leads_to(link, executable):
                draft = f"{link}-{os.getpid()}"
                os.symlink(executable, draft)
                os.replace(draft, link)
    except OSError:
        return None
    if _native.cache_flaw(folder) is not None:
        return None
    for path in (folder, *links):
        depend_on(path)
    return folder


def _make_folder(folder: str) -> None:
    """Create `folder` and missing parents, writable by this user only whatever the umask, so that it is trusted."""
    if not os.path.isdir(folder):
        _make_folder(os.path.dirname(folder))
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            return


def _leads_to(link: str, executable: str) -> bool:
    try:
        return os.readlink(link) == executable
    except OSError:
        return False


def _sweep(temporary: str) -> None:
    """Remove the folders of processes that have ended."""
    try:
        names = os.listdir(temporary)
    except OSError:
        return
    for name in names:
        pid = name.removeprefix(_PREFIX).partition("-")[0]
        if name.startswith(_PREFIX) and pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            path = os.path.join(temporary, name)
            try:
                is_ours = os.lstat(path).st_uid == os.getuid()
            except OSError:
                continue
            if is_ours and os.path.exists("/proc/self"):
                _remove(path)


def _remove(folder: str) -> None:
    try:
        for name in _NAMES:
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        return  # it contains a file, or another process removed it
