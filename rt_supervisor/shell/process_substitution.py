"""`<(commands)` and `>(commands)`: commands that run beside another one, which knows their output or input by a path.

The path is `/dev/fd/N` of a pipe, whose number is the same in this process and in the programs it starts. While the command
runs that was given the path, the pipe's end is in its table; afterwards it is closed. Those who read are waited for then,
so that what they print comes before what follows (bash does not wait); those who are read from are not, as in bash.
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

_LOWEST = 63  # what scripts name by number themselves is lower


class Connection:
    """The shell's end of a pipe to commands; `kept` by `exec`, they are waited for when the shell ends."""

    __slots__ = ("done", "is_kept", "number", "reads")

    def __init__(self, number: int, done: Any, *, reads: bool) -> None:
        self.number = number
        self.done = done  # a lock, held until the commands have ended
        self.reads = reads  # whether the shell's end is the one to read from
        self.is_kept = False


def connect(shell: Interpreter, part: ProcessSubstitution) -> str:
    """Start the commands of `part`, put the pipe into the table of the command that is being expanded, and return its path."""
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
    """Close the pipes, and wait for those who read from them."""
    for connection in connections:
        io.pop(connection.number, None)
        os.close(connection.number)
    for connection in connections:
        if not connection.reads and not connection.is_kept:
            connection.done.acquire()


def keep(shell: Interpreter) -> None:
    """Have the shell wait at its end for what is connected now: `exec` has made the pipes its own."""
    for connection in shell.connections:
        connection.is_kept = True
        shell.unfinished.append(connection)


def finish(connections: Many[Connection], io: Io, given: Io) -> None:
    """Close what is in `io` and not in the table that was `given`; wait for those who read from it."""
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
