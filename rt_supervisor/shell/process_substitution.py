"""`<(commands)` and `>(commands)`: commands that run concurrently with another one, which opens their output or input
by a path.

The path is `/dev/fd/N` of a pipe, with the same number in this process and in the programs that it starts. While the
command that received the path runs, the pipe's end is in its table; afterwards it is closed. Then the shell waits for
commands that read from the pipe, so that their output precedes what follows (bash does not wait); like bash, it does
not wait for the others.
"""

from __future__ import annotations

import _thread
import os

from .problems import ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence as Many
    from typing import Any

    from .interpreter import Interpreter, Io
    from .tree import ProcessSubstitution, Sequence

_LOWEST = 63  # scripts use lower numbers themselves


class Connection:
    """The shell's end of a pipe to commands. If `exec` has made it permanent, the shell waits for the commands when it
    ends."""

    __slots__ = ("done", "is_kept", "number", "reads")

    def __init__(self, number: int, done: Any, *, reads: bool) -> None:
        self.number = number
        self.done = done  # a lock, held until the commands have ended
        self.reads = reads  # whether the shell's end is the one to read from
        self.is_kept = False


def connect(shell: Interpreter, part: ProcessSubstitution) -> str:
    """Start the commands of `part`, add the pipe to the table of the command being expanded, and return its path."""
    import fcntl

    try:
        reader, writer = os.pipe()
        ours, theirs = (reader, writer) if part.reads else (writer, reader)
        number = int(fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, _LOWEST))
    except OSError as error:
        raise ShellProblem(f"process substitution: {error.strerror}") from error
    os.close(ours)
    siblings = {each.number for each in shell.connections[shell.connected_before :]}
    table = {to: descriptor for to, descriptor in shell.io.items() if to not in siblings}
    table[1 if part.reads else 0] = theirs
    done = _thread.allocate_lock()
    done.acquire()
    try:
        _thread.start_new_thread(_run, (shell.subshell(), part.body, table, theirs, done))
    except RuntimeError as error:
        os.close(theirs)
        os.close(number)
        raise ShellProblem("cannot start another thread") from error
    shell.io[number] = number
    shell.connections.append(Connection(number, done, reads=part.reads))
    return f"/dev/fd/{number}"


def disconnect(connections: Many[Connection], io: Io) -> None:
    """Close the pipes, and wait for the commands that read from them."""
    for connection in connections:
        io.pop(connection.number, None)
        os.close(connection.number)
    for connection in connections:
        if not connection.reads and not connection.is_kept:
            connection.done.acquire()


def keep(shell: Interpreter) -> None:
    """Make the current connections permanent (`exec`): the shell waits for them when it ends."""
    for connection in shell.connections:
        connection.is_kept = True
        shell.unfinished.append(connection)


def finish(connections: Many[Connection], io: Io, given: Io) -> None:
    """Close the descriptors of `io` that are not in the table `given`; wait for the commands that read from them."""
    for descriptor in {*io.values()} - {*given.values()}:
        os.close(descriptor)
    for connection in connections:
        if not connection.reads:
            connection.done.acquire()


def _run(shell: Interpreter, body: Sequence, table: Io, theirs: int, done: Any) -> None:
    try:
        shell.run_whole(body, table)
    finally:
        os.close(theirs)
        done.release()
