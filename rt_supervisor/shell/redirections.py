"""Redirections (POSIX 2.7): map descriptors of a command to descriptors of the process.

Commands run in threads of one process, so "descriptor 1" of a command is an entry in a table, not descriptor 1 of the
process. A redirection changes a copy of the table; programs get the descriptors of their table when they start.
"""

from __future__ import annotations

import os

from .own_descriptors import named_descriptor
from .problems import ShellProblem
from .state import encoded
from .tree import HereDocument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .expansion import Expander
    from .state import State
    from .tree import Redirection

_CREATE = os.O_WRONLY | os.O_CREAT
_FLAGS = {
    "<": os.O_RDONLY,
    "<>": os.O_RDWR | os.O_CREAT,
    ">": _CREATE | os.O_TRUNC,
    ">|": _CREATE | os.O_TRUNC,
    ">>": _CREATE | os.O_APPEND,
    "&>": _CREATE | os.O_TRUNC,
    "&>>": _CREATE | os.O_APPEND,
}
_FITS_A_PIPE = 4096  # the least that a pipe holds without a reader
MOST_DESCRIPTORS = 256


def redirect(
    redirections: Sequence[Redirection], io: dict[int, int], state: State, expander: Expander, command: str = ""
) -> tuple[dict[int, int], list[int]]:
    """Return the table with `redirections` applied, and the descriptors to close after `command`, which errors name.

    Raises ShellProblem, after closing everything that it has opened.
    """
    table = io.copy()
    opened: list[int] = []
    try:
        for redirection in redirections:
            _one(redirection, table, io, opened, state, expander, command)
    except BaseException:
        for descriptor in opened:
            os.close(descriptor)
        raise
    return table, opened


def _one(
    redirection: Redirection,
    table: dict[int, int],
    io: dict[int, int],
    opened: list[int],
    state: State,
    expander: Expander,
    command: str,
) -> None:
    operator, number, target = redirection.operator, redirection.descriptor, redirection.target
    if number is None:
        number = 0 if operator in ("<", "<<", "<<<", "<&", "<>") else 1
    if number >= MOST_DESCRIPTORS:
        raise ShellProblem(f"{number}: Bad file descriptor")
    if isinstance(target, HereDocument):
        assert target.body is not None
        table[number] = _holding(expander.string(target.body), opened)
        return
    if operator == "<<<":
        table[number] = _holding(expander.string(target) + "\n", opened)
        return
    name = _single(expander.fields(target), command)
    if operator in ("<&", ">&"):
        if name == "-":
            table.pop(number, None)
            return
        moves = name.endswith("-")
        if name.removesuffix("-").isdecimal():
            source = int(name.removesuffix("-"))
            if source not in table:
                raise ShellProblem(f"{source}: Bad file descriptor")
            table[number] = table[source]
            if moves and source != number:
                del table[source]
            return
        if operator == "<&" or redirection.descriptor is not None:
            raise ShellProblem(f"{name}: ambiguous redirect")
        operator = "&>"
    descriptor = _open(name, operator, {**io, **table} if name.startswith("/dev/fd/") else table, state)
    opened.append(descriptor)
    table[number] = descriptor
    if operator in ("&>", "&>>"):
        table[1] = table[2] = descriptor


def _single(fields: list[str], command: str) -> str:
    if len(fields) != 1:
        raise ShellProblem(f"ambiguous redirect: at `{command}`" if command else "ambiguous redirect")
    return fields[0]


def _open(name: str, operator: str, table: dict[int, int], state: State) -> int:
    number = named_descriptor(name)
    if number is not None:  # a descriptor of the command, not of the process
        if number not in table:
            raise ShellProblem(f"No such file or directory: {name}")
        return os.dup(table[number])
    path = state.path(name)
    flags = _FLAGS[operator]
    if operator == ">" and "noclobber" in state.options and _is_regular(path):
        raise ShellProblem(f"cannot overwrite existing file: {name}")
    try:
        if not name:
            raise FileNotFoundError(2, os.strerror(2))
        return os.open(path, flags | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise ShellProblem(f"{error.strerror}: {name}") from error
    except ValueError as error:
        raise ShellProblem(f"{error}: {name!r}") from error


def _is_regular(path: str) -> bool:
    try:
        return os.stat(path).st_mode & 0o170000 == 0o100000
    except (OSError, ValueError):
        return False


def _holding(text: str, opened: list[int]) -> int:
    """Return a descriptor from which `text` can be read."""
    data = encoded(text)
    if len(data) <= _FITS_A_PIPE:
        descriptor, writer = os.pipe()
        opened.append(descriptor)
        os.write(writer, data)
        os.close(writer)
        return descriptor
    descriptor = os.memfd_create("here-document", os.MFD_CLOEXEC)
    opened.append(descriptor)
    while data:
        data = data[os.write(descriptor, data) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
