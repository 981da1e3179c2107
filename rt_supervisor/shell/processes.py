"""Finds programs on PATH, starts them with the descriptors of their command, and waits for them.

They stay in the shell's process group, so they receive signals to the group of the script. Their end becomes a status
as in POSIX 2.8.2: 128 plus the signal's number for a signal.
"""

from __future__ import annotations

import _signal
import os

from .problems import ShellProblem
from .state import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

    from .state import State

_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
_OWN_NAMES = ("rt", "bun")  # scripts written for the peer call it `bun`
SIGINT = int(_signal.SIGINT)
_LAST_STANDARD_SIGNAL = 31


def find_program(name: str, state: State) -> str | None:
    """Return the absolute path of the program for command `name`; None if there is none.

    For a name with a slash, any existing file is returned, executable or not, so that the system reports what is wrong
    with it.
    """
    if not name:
        return None
    if "/" in name:
        path = state.path(name)
        return path if os.path.lexists(path) else None
    found = None
    for folder in (state.variables.get("PATH") or _DEFAULT_PATH).split(":"):
        path = f"{state.path(folder)}/{name}" if folder else f"{state.folder}/{name}"
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError):
            continue
        if mode & 0o170000 == 0o100000:
            if os.access(path, os.X_OK):
                return path
            found = found or path
    return found or (state.own_program if name in _OWN_NAMES else None)


def start(
    path: str, argv: Sequence[str], state: State, io: Mapping[int, int], extra: Mapping[str, str], ignored: int
) -> int:
    """Start the program at `path` and return its pid. Raises ShellProblem."""
    from .. import _native  # not needed for a text that only uses builtins

    highest = max(io, default=-1)
    descriptors = [io.get(number, -1) for number in range(max(3, highest + 1))]
    try:
        return _native.spawn_child(
            [encoded(path)],
            [encoded(word) for word in argv],
            state.variables.environment(extra),
            encoded(state.folder),
            descriptors,
            ignored,
            new_session=False,
            mark=None,
            user=None,
            group=None,
        )
    except OSError as error:
        raise _start_problem(error, path, argv[0], state) from error
    except ValueError as error:
        raise ShellProblem(f"{argv[0]}: {error}", status=126) from error


def replace_shell(
    path: str, argv: Sequence[str], state: State, io: Mapping[int, int], extra: Mapping[str, str]
) -> NoReturn:
    """Execute the program at `path` in place of the shell. Raises ShellProblem."""
    command = [encoded(word) for word in argv]
    environment: dict[bytes, bytes] = {}
    for entry in state.variables.environment(extra):
        name, _, value = entry.partition(b"=")
        environment[name] = value
    if any(b"\0" in word for word in command):
        raise ShellProblem(f"{argv[0]}: a word holds a NUL", status=126)
    try:
        os.chdir(state.folder)
        mode = os.stat(path).st_mode
        if mode & 0o170000 != 0o100000 or not os.access(path, os.X_OK):
            raise PermissionError(13, os.strerror(13))
    except OSError as error:
        raise _start_problem(error, path, argv[0], state) from error
    # Move the descriptors out of the way first: one may have the number that another is to get.
    above = max(max(io, default=2), 2) + 1
    kept = {number: _move_above(descriptor, above) for number, descriptor in io.items()}
    for number, descriptor in kept.items():
        os.dup2(descriptor, number)
    for number in range(3):
        if number not in io:
            os.close(number)
    for signal in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(signal, _signal.SIG_DFL)
    try:
        os.execve(path, command, environment)
    except OSError as error:
        if error.errno == 8:  # unknown format: the system's shell executes it (POSIX 2.9.1.1)
            os.execve("/bin/sh", [b"sh", encoded(path), *command[1:]], environment)
        raise _start_problem(error, path, argv[0], state) from error


def wait(pid: int) -> int:
    """Wait for the process and return its wait status; handles signals meanwhile."""
    while True:
        try:
            return os.waitpid(pid, 0)[1]
        except InterruptedError:
            continue
        except ChildProcessError:
            return 0


def exit_status(status: int) -> int:
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def not_found(name: str) -> ShellProblem:
    return ShellProblem(f"command not found: {name}")


def _start_problem(error: OSError, path: str, name: str, state: State) -> ShellProblem:
    if not os.path.isdir(state.folder):
        return ShellProblem(f"{name}: the working folder is gone: {state.folder}", status=126)
    if os.path.isdir(path):
        return ShellProblem(f"{name}: Is a directory", status=126)
    if error.errno == 2:
        return not_found(name)
    words = {13: "permission denied", 7: "Argument list too long"}.get(
        error.errno or 0, error.strerror or "cannot start"
    )
    return ShellProblem(f"{words}: {name}" if error.errno == 13 else f"{name}: {words}", status=126)


def _move_above(descriptor: int, lowest: int) -> int:
    import fcntl

    return int(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, lowest))
