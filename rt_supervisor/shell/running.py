"""Runs a text as the shell of this process: a script's worker, `rt shell -c`, `rt shell FILE`.

`run_shell` handles the process's signals and returns the status; `become_shell` is for workers and ends the process.
"""

from __future__ import annotations

import os

from . import aliases, trapped
from .interpreter import Interpreter
from .parser import parse
from .problems import BrokenOutput, Discard, Exit, Jump, ShellProblem
from .session import SIGNALS, Ended, Session, die_of
from .state import State, encoded, folder_to_begin_in
from .tree import AndOr, Sequence, Simple, SyntaxProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Sequence as Words
    from typing import NoReturn

    from .tree import Command


def become_shell(
    text: str, *, environment: Mapping[str, str], ignored: int, title: str, arguments: Words[str] = ()
) -> NoReturn:
    """Run `text` and end the process with its outcome; `title` names the script in the message about a syntax error."""
    try:
        tree = parse(text)
    except SyntaxProblem as problem:
        os.write(2, encoded(f"error: Failed to run script {title} due to error {problem.message}\n"))
        os._exit(1)
    state = State(environment=environment, folder=folder_to_begin_in(environment), name="rt", arguments=arguments)
    # The last program does not replace the shell, so that a signal that terminates it becomes a status and does not end
    # the script.
    os._exit(run_shell(tree, text, state, ignored=ignored, becomes_program=False))


def run_shell(
    tree: Sequence,
    text: str,
    state: State,
    *,
    ignored: int = 0,
    becomes_program: bool = True,
    is_command_string: bool = True,
) -> int:
    """Run `tree`, parsed from `text`, as the shell of this process and return its status; a signal that ends it ends
    the process.

    With `becomes_program`, the last command replaces the shell if it is a program, as in bash. `is_command_string` is
    false
    for a file and for standard input, where a failed expansion has another status.
    """
    session = Session(ignored=ignored, is_command_string=is_command_string)
    has_aliases = aliases.may_change(text, state)
    session.last_command = last_command(tree) if becomes_program and not has_aliases else None
    session.begin()
    shell = Interpreter(state, session, is_main=True)
    _count_level(state)
    io = standard_streams()
    try:
        try:
            status = _run(shell, _lines(text, state) if has_aliases else _commands(tree), io)
        except Ended as ended:
            trapped.run_exit_trap(shell, 128 + ended.number, io)
            die_of(ended.number)
        except BrokenOutput:
            die_of(SIGNALS["PIPE"])
    except Ended as ended:  # a second signal, during the trap
        die_of(ended.number)
    return status


def _commands(tree: Sequence) -> Iterator[tuple[Command, bool]]:
    """Yield each command with whether it begins a line."""
    return zip(tree.items, tree.starts_line, strict=True)


def _lines(text: str, state: State) -> Iterator[tuple[Command, bool]]:
    """Yield the commands of a text whose lines may define aliases, which are valid from the next line on."""
    try:
        for line in aliases.lines(text, state):
            yield from _commands(line)
    except SyntaxProblem as problem:
        raise ShellProblem(f"syntax error: {problem.message}", status=2) from problem


def _run(shell: Interpreter, commands: Iterator[tuple[Command, bool]], io: dict[int, int]) -> int:
    try:
        status = _run_lines(shell, commands, io)
        shell.session.run_traps(shell, io)
    except Exit as jump:
        status = jump.status
    except BrokenOutput:
        raise
    except Jump:
        status = shell.state.status
    except ShellProblem as problem:
        status = shell.report(problem, io)
    except RecursionError:
        shell.complain("commands are nested too deep", io)
        status = 1
    status = trapped.run_exit_trap(shell, status, io)
    if shell.unfinished:
        shell.finish(io, standard_streams())
    return status


def _run_lines(shell: Interpreter, commands: Iterator[tuple[Command, bool]], io: dict[int, int]) -> int:
    """Run all commands; an error that discards its line does not affect the next lines."""
    status = 0
    is_discarded = False
    for item, starts_line in commands:
        if is_discarded and not starts_line:
            continue
        shell.session.run_traps(shell, io)
        try:
            status = shell.run(item, io)
            is_discarded = False
        except Discard as jump:
            status = shell.state.status = jump.status
            is_discarded = True
    return status


def last_command(command: Command) -> Command | None:
    """Return the simple command after which nothing is left to do, whatever its status is; None if there is none."""
    while True:
        if isinstance(command, Sequence) and command.items:
            command = command.items[-1]
        elif isinstance(command, AndOr):
            command = command.rest[-1][1]
        elif isinstance(command, Simple):
            return command
        else:
            return None


def standard_streams() -> dict[int, int]:
    """Return the shell's initial table of descriptors: 0 to 2 and all others that the process inherited."""
    table = {}
    for number in range(3):
        try:
            os.fstat(number)
            table[number] = number
        except OSError:
            continue
    for number in range(3, 10):
        try:
            if os.get_inheritable(number):
                table[number] = number
        except OSError:
            continue
    return table


def _count_level(state: State) -> None:
    """Set SHLVL, PWD and OLDPWD like bash."""
    variables = state.variables
    level = variables.get("SHLVL") or "0"
    variables.set("SHLVL", str(int(level) + 1 if level.isascii() and level.isdecimal() and len(level) < 4 else 1))
    variables.set("PWD", state.folder)
    for name in ("SHLVL", "PWD"):
        variables.export(name)
    if variables.get("IFS") is not None:
        variables.restore("IFS", None, exported=False)
    variables.set("OPTIND", "1")
