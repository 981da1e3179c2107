"""The folder of the running runs of this user: one entry per run, a folder with its socket and what it is.

`$XDG_RUNTIME_DIR/rt/runs`, or `runs` in rt's cache folder, which only the user may read and write. An entry holds:

- `run.json`: what runs, and where. The run holds a lock on it as long as it lives, so that an entry whose lock is free is dead, also after
  a kill or a reboot. Every rt that finds such an entry removes it.
- `socket`: the run serves it (`server`).
- `output`: what a detached run prints; it is emptied when it exceeds `MOST_OUTPUT_BYTES`.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import stat
import time

from .. import _native
from ..start.cache_folder import cache_folder
from ..vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ABOUT, SOCKET, OUTPUT = "run.json", "socket", "output"
MOST_OUTPUT_BYTES = 16 << 20
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 4
_UNFINISHED_S = 60.0  # an entry without run.json that is older was left by an rt that was killed while it made it


class OwnRun:
    """The entry of this process. `listener` is bound to its socket."""

    def __init__(self, run_id: str, folder: str) -> None:
        self.id = run_id
        self.folder = folder
        self.about: dict[str, Any] = {}
        self._lock = -1
        self._is_printed_to = False
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        directory = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:  # the path of the folder may be longer than the address of a socket
            self.listener.bind(f"/proc/self/fd/{directory}/{SOCKET}")
        finally:
            os.close(directory)
        self.listener.listen()

    def publish(self, about: Mapping[str, Any]) -> None:
        """Let others find the run, with a description that can be JSON."""
        self.about = {"id": self.id, **about}
        unfinished = os.path.join(self.folder, f"{ABOUT}.new")
        self._lock = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.write(self._lock, json.dumps(self.about).encode())
        os.rename(unfinished, os.path.join(self.folder, ABOUT))

    def open_output(self) -> int:
        """Return a descriptor of a new file for what the run prints. Raises OSError."""
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        return os.open(os.path.join(self.folder, OUTPUT), flags, 0o600)

    def print_to(self, output: int) -> None:
        """Let what this process prints go to `output`, and its input be empty. Raises OSError."""
        nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        for descriptor, stream in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(descriptor, stream)
        os.close(nothing)
        os.close(output)
        self._is_printed_to = True

    def bound_output(self) -> None:
        """Empty the file that this process prints to once it is too large."""
        if self._is_printed_to and os.fstat(1).st_size > MOST_OUTPUT_BYTES:
            os.ftruncate(1, 0)

    def close(self) -> None:
        """Remove the entry."""
        self.listener.close()
        _remove(self.folder)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def make_run() -> OwnRun:
    """Make an entry for this process. Raises Failed if there is no folder that only this user can write to."""
    parent = runs_folder()
    number = int.from_bytes(os.urandom(8))
    for attempt in range(1000):
        run_id = "".join(
            _LETTERS[(number + attempt) // len(_LETTERS) ** place % len(_LETTERS)] for place in range(_ID_LENGTH)
        )
        folder = os.path.join(parent, run_id)
        try:
            os.mkdir(folder, 0o700)
            return OwnRun(run_id, folder)
        except FileExistsError:
            continue
        except OSError as error:
            raise _unusable(folder, error.strerror or "") from error
    raise _unusable(parent, "it is full")


def runs_folder() -> str:
    """Return the folder of all runs, which exists. Raises Failed if there is none that only this user can write to."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    is_own = runtime and _is_own_folder(runtime)  # sudo may leave that of another user
    folder = os.path.join(runtime, "rt", "runs") if runtime and is_own else cache_folder("runs")
    if folder is None:
        raise Failed(
            "no-runs-folder", "there is no folder for running runs that only you can write to (see the note above)"
        )
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        about = os.lstat(folder)
    except OSError as error:
        raise _unusable(folder, error.strerror or "") from error
    if (
        about.st_uid != os.geteuid()
        or not stat.S_ISDIR(about.st_mode)
        or about.st_mode & 0o022
        or _native.cache_flaw(folder)
    ):
        raise _unusable(folder, "others can write to it")
    if about.st_mode & 0o077:
        os.chmod(folder, 0o700)
    return folder


def living_runs() -> list[tuple[str, dict[str, Any]]]:
    """Return the folder and the description of each run of this user that lives, oldest first. Removes what dead ones have left.
    Raises Failed.
    """
    parent = runs_folder()
    found = []
    for name in os.listdir(parent):
        folder = os.path.join(parent, name)
        about = _living(folder)
        if about is not None:
            found.append((folder, about))
    return sorted(found, key=lambda run: run[1].get("startedAt", 0))


def _is_own_folder(folder: str) -> bool:
    try:
        return os.stat(folder).st_uid == os.geteuid()
    except OSError:
        return False


def _living(folder: str) -> dict[str, Any] | None:
    try:
        about = os.lstat(folder)
        if about.st_uid != os.geteuid() or not stat.S_ISDIR(about.st_mode) or about.st_mode & 0o077:
            return None
        descriptor = os.open(os.path.join(folder, ABOUT), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        with contextlib.suppress(OSError):
            if time.time() - os.lstat(folder).st_mtime > _UNFINISHED_S:
                _remove(folder)
        return None
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        with contextlib.suppress(ValueError):
            described = json.loads(os.read(descriptor, 1 << 20))
            return described if isinstance(described, dict) else None
        return None
    finally:
        os.close(descriptor)
    _remove(folder)
    return None


def _remove(folder: str) -> None:
    for name in (ABOUT, f"{ABOUT}.new", SOCKET, OUTPUT):
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, name))
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _unusable(folder: str, problem: str) -> Failed:
    return Failed("runs-folder-unusable", f"{folder} cannot be used for running runs: {problem}")
