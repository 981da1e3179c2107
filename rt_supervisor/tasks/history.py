"""What rt remembers of the runs of one workspace: which tasks of the last run have succeeded, and how long each task took.

Both are independent of the cache of results. The success of a task that ran is appended to a file at once, so that it is known also if
rt is killed; a run that does not resume begins the file again. Unreadable files count as none.
"""

from __future__ import annotations

import marshal
import os

from .._native import cache_put, checksum
from ..start.cache_folder import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DURATIONS_FILE = "task-durations.json"
"""The name of the file at the root of a workspace that shares durations between machines."""
_CHECKSUM_BYTES = 8


class History:
    """The history of the workspace at `root`, in files below `folder`. Tasks go by their titles."""

    def __init__(self, folder: str, root: str) -> None:
        base = os.path.join(folder, "workspaces", f"{checksum(os.fsencode(root)):016x}")
        self._seconds_path, self._done_path = f"{base}.seconds", f"{base}.done"
        self._file: int | None = None
        self._unwritten: list[str] = []
        self._new: dict[str, float] = {}
        self.seconds = _read_seconds(self._seconds_path)

    @staticmethod
    def of(root: str) -> History | None:
        """Return the history of a workspace, None if rt's cache folder is not safe to use."""
        folder = cache_folder("tasks")
        return None if folder is None else History(folder, root)

    def done(self) -> frozenset[str] | None:
        """Return what has succeeded in the last run and in those that resumed it, None if no run is known."""
        try:
            with open(self._done_path, encoding="utf-8", errors="surrogateescape") as file:
                return frozenset(file.read().splitlines())
        except OSError:
            return None

    def begin(self, *, resumes: bool) -> None:
        """Begin to record a run. Raises OSError."""
        os.makedirs(os.path.dirname(self._done_path), exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | (0 if resumes else os.O_TRUNC)
        self._file = os.open(self._done_path, flags, 0o600)

    def add(self, entry: str, *, title: str, seconds: float | None) -> None:
        """Record that a task has succeeded, and how long it took if it ran. Raises OSError.

        One whose result was in the cache is written with the next that ran: a run that resumes finds it in the cache again.
        """
        self._unwritten.append(entry)
        if seconds is not None:
            self._new[title] = self.seconds[title] = round(seconds, 3)
            self._write()

    def _write(self) -> None:
        entries, self._unwritten = self._unwritten, []
        if self._file is not None and entries:
            os.write(self._file, b"".join([os.fsencode(entry) + b"\n" for entry in entries]))

    def close(self) -> None:
        """Write the durations. Raises OSError."""
        try:
            self._write()
        finally:
            if self._file is not None:
                os.close(self._file)
                self._file = None
        if self._new:
            known = {**_read_seconds(self._seconds_path), **self._new}
            payload = marshal.dumps(known)
            cache_put(
                self._seconds_path, checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") + payload, is_durable=False
            )


def entry_of(title: str, arguments: Sequence[str]) -> str:
    """Return what stands for a task in a history: its title, and its arguments, with which it is another task."""
    if not arguments:
        return title
    import json  # takes longer to import than a run with few results

    return json.dumps([title, *arguments])


def shared_durations(root: str) -> dict[str, float]:
    """Return the seconds by title that task-durations.json of the workspace has; none without the file."""
    import json

    try:
        with open(os.path.join(root, DURATIONS_FILE), "rb") as file:
            return _durations_in(json.loads(file.read()))
    except (OSError, ValueError):
        return {}


def _read_seconds(path: str) -> dict[str, float]:
    try:
        with open(path, "rb") as file:
            data = file.read()
        payload = data[_CHECKSUM_BYTES:]
        if checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") != data[:_CHECKSUM_BYTES]:
            return {}
        return _durations_in(marshal.loads(payload))
    except (OSError, ValueError, EOFError, TypeError):
        return {}


def _durations_in(read: object) -> dict[str, float]:
    """Return the durations in what a file contains; none if it is something else."""
    if not isinstance(read, dict):
        return {}
    return {
        title: float(seconds)
        for title, seconds in read.items()
        if isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 <= seconds < float("inf")
    }
