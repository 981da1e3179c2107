"""The private folder whose `node` is rt: what `--rt` puts first on PATH.

Made when first asked for, removed by `remove`, which whoever ends the process calls: at a normal end and before it
dies of a signal. What a killed rt leaves is swept by the next one that makes such a folder. Only the process that made
the folder removes it, so forked children may end as they like.
"""

from __future__ import annotations

import os

_PREFIX = "rt-node-"


class NodeLink:
    """Owns at most one folder."""

    def __init__(self, executable: str, temporary: str | None = None) -> None:
        self._executable = executable
        self._temporary = temporary or os.environ.get("TMPDIR") or "/tmp"
        self._folder: str | None = None
        self._owner = 0

    def folder(self) -> str:
        """Return the absolute path of the folder, making it the first time. Raises OSError."""
        if self._folder is None:
            _sweep(self._temporary)
            self._owner = os.getpid()
            path = os.path.join(os.path.abspath(self._temporary), f"{_PREFIX}{self._owner}-{os.urandom(6).hex()}")
            os.mkdir(path, 0o700)
            self._folder = path
            for name in ("node", "rt"):
                os.symlink(self._executable, os.path.join(path, name))
        return self._folder

    def remove(self) -> None:
        """Remove the folder if this process made one. Never raises; may be called again, and from a signal's handler."""
        folder, self._folder = self._folder, None
        if folder is not None and self._owner == os.getpid():
            _remove(folder)


def _sweep(temporary: str) -> None:
    """Remove the folders of processes that are gone."""
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
        for name in ("node", "rt"):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        return  # someone put a file into it, or was faster
