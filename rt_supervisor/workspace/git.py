"""Runs git: started beside other work, or to its end. Its output is bytes; a failure is None.

`subprocess` is not used: to import it takes longer than git's shortest commands.
"""

from __future__ import annotations

import _signal
import contextlib
import os

from ..vocabulary.record import record

_DEFAULT_SIGNALS = (_signal.SIGPIPE, _signal.SIGXFSZ)  # Python ignores them


@record
class GitProcess:
    """A git process, and the descriptor that its output is read from."""

    pid: int
    output: int


def start(root: str, *words: str, data: bytes = b"") -> GitProcess | None:
    """Start git in `root`, with `data` as its input; None if it is not installed."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    opened = []
    try:
        output, written = os.pipe2(os.O_CLOEXEC)
        opened += [output, written]
        given = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) if not data else _file_of(data)
        opened.append(given)
        pid = os.posix_spawnp(
            "git",
            ["git", "-C", root, "-c", "core.quotePath=false", *words],
            environment,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, written, 1),
                (os.POSIX_SPAWN_DUP2, given, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setsigdef=_DEFAULT_SIGNALS,
        )
        opened.remove(output)
        return GitProcess(pid, output)
    except OSError:
        return None
    finally:
        for descriptor in opened:
            os.close(descriptor)


def finish(process: GitProcess | None) -> bytes | None:
    """Return what git has printed when it has ended, None if it failed."""
    if process is None:
        return None
    with open(process.output, "rb", buffering=0) as file:
        printed = file.read()
    try:
        _, status = os.waitpid(process.pid, 0)
    except ChildProcessError:  # something else has waited for it
        return printed
    return printed if status == 0 else None


def end(process: GitProcess | None) -> None:
    """End a process whose output nothing needs."""
    if process is None:
        return
    os.close(process.output)
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(process.pid, _signal.SIGKILL)
        os.waitpid(process.pid, 0)


def run(root: str, *words: str, data: bytes = b"") -> bytes | None:
    """Run git in `root`, with `data` as its input, and return what it printed, None if it failed."""
    return finish(start(root, *words, data=data))


def _file_of(data: bytes) -> int:
    """Return the descriptor of a file in memory that contains `data`, at its start: a pipe could fill up while git fills its own."""
    descriptor = os.memfd_create("git-input", os.MFD_CLOEXEC)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
