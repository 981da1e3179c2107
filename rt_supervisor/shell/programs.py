"""Runs programs: starts them and waits, or executes them in place of the shell (`exec`, the last command)."""

from __future__ import annotations

from . import processes
from .problems import Exit, ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .interpreter import Interpreter, Io
    from .tree import Simple


def run_program(shell: Interpreter, command: Simple, words: list[str], io: Io) -> int:
    extra: dict[str, str] = {}
    if command.assignments:
        saved = shell._assign_for_now(command.assignments)
        variables = shell.state.variables
        extra = {name: variables.get(name) or "" for name, _, _ in saved}
        for name, value, exported in saved:
            variables.restore(name, value, exported=exported)
    if command is shell.session.last_command and not shell.connections and shell.session.may_become_program(shell):
        path = processes.find_program(words[0], shell.state)
        if path is not None:
            shell.session.before_replacing()
            processes.replace_shell(path, words, shell.state, io, extra)
    return start_and_wait(shell, words, io, extra)


def start_and_wait(shell: Interpreter, words: list[str], io: Io, extra: Mapping[str, str]) -> int:
    return finish(shell, start(shell, words, io, extra))


def start(shell: Interpreter, words: list[str], io: Io, extra: Mapping[str, str]) -> int:
    path = processes.find_program(words[0], shell.state)
    if path is None:
        raise processes.not_found(words[0])
    shell.session.program_starts()
    try:
        return processes.start(path, words, shell.state, io, extra, shell.session.ignored)
    except BaseException:
        shell.session.program_ended(0)
        raise


def finish(shell: Interpreter, pid: int) -> int:
    status = processes.wait(pid)
    shell.session.program_ended(status)
    return processes.exit_status(status)


def exec_command(shell: Interpreter, command: Simple, words: list[str], io: Io, table: Io, opened: list[int]) -> int:
    """Execute `exec program`, or make redirections permanent (POSIX 2.14 exec)."""
    if len(words) == 1:
        io.clear()
        io.update(table)
        shell.io = io
        opened.clear()  # the shell owns them from now on
        if shell.connections:
            from .process_substitution import keep

            keep(shell)
        return 0
    path = processes.find_program(words[1], shell.state)
    if path is None:
        raise ShellProblem(f"exec: {words[1]}: not found", status=127, fatal=True)
    if shell.is_main and not shell.session.is_interactive and not shell.connections:
        shell.session.before_replacing()
        processes.replace_shell(path, words[1:], shell.state, table, {})
    raise Exit(start_and_wait(shell, words[1:], table, {}))
