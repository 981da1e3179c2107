"""Evaluates `$( )` and `$(< file)` (POSIX 2.6.3): the output of commands, read while they run, or the contents of a
file."""

from __future__ import annotations

import _thread
import os

from .brief import NotBrief, is_brief, run_brief
from .problems import ShellProblem
from .redirections import redirect
from .state import decoded
from .tree import Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .interpreter import Interpreter
    from .tree import Redirection, Sequence


def substitute(shell: Interpreter, body: Sequence) -> str:
    """Return the output of `body` without trailing newlines."""
    file = _file_only(body)
    if file is not None:
        return _contents(shell, file)
    command = body.items[0] if len(body.items) == 1 else None
    if command is not None and is_brief(command, shell):
        table = shell.io.copy()
        table.pop(1, None)
        try:
            shell.state.status, printed = run_brief(command, shell.subshell(), table)
        except NotBrief:
            pass
        else:
            shell.state.substitution_status = shell.state.status
            return decoded(printed.replace(b"\0", b"")).rstrip("\n")
    reader, writer = os.pipe()
    blocks: list[bytes] = []
    table = shell.io.copy()
    table[1] = writer
    done = _thread.allocate_lock()
    done.acquire()
    _thread.start_new_thread(_read_all, (reader, blocks, done))
    try:
        status = shell.run_in_subshell(body, table)
    finally:
        os.close(writer)
        done.acquire()
        os.close(reader)
    shell.state.status = shell.state.substitution_status = status
    return decoded(b"".join(blocks).replace(b"\0", b"")).rstrip("\n")


def _contents(shell: Interpreter, redirection: Redirection) -> str:
    table, opened = redirect([redirection], shell.io, shell.state, shell.expander)
    try:
        blocks: list[bytes] = []
        while block := os.read(table[0], 1 << 16):
            blocks.append(block)
    except OSError as error:
        raise ShellProblem(f"{error.strerror}") from error
    finally:
        for descriptor in opened:
            os.close(descriptor)
    shell.state.substitution_status = 0
    return decoded(b"".join(blocks).replace(b"\0", b"")).rstrip("\n")


def _file_only(body: Sequence) -> Redirection | None:
    """Return the redirection of `$(< file)`; None if the body is anything else."""
    simple = body.items[0] if len(body.items) == 1 else None
    if not isinstance(simple, Simple) or simple.words or simple.assignments or len(simple.redirections) != 1:
        return None
    return simple.redirections[0] if simple.redirections[0].operator == "<" else None


def _read_all(reader: int, blocks: list[bytes], done: Any) -> None:
    try:
        while block := os.read(reader, 1 << 16):
            blocks.append(block)
    finally:
        done.release()
