"""Running a text as the shell of this process: a script's worker, `rt shell -c`, `rt shell FILE`.

`run_shell` takes over the process's signals and returns how it ended; `become_shell` is for workers and ends the process.
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
    """Run `text` here and end the process as it ends; `title` is the script's name in what is said of a broken text."""
    try:
        tree = parse(text)
    except SyntaxProblem as problem:
        os.write(2, encoded(f"error: Failed to run script {title} due to error {problem.message}\n"))
        os._exit(1)
    state = State(environment=environment, folder=folder_to_begin_in(environment), name="rt", arguments=arguments)
    # The last program is not executed in the shell's place: the signal that ends it becomes a status, and does not end the script.
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
    """Run `tree`, parsed from `text`, as the shell of this process and return its status; dies of the signal that ends it.

    With `becomes_program`, the last command replaces the shell if it is a program, as in bash. `is_command_string` is false
    for a file and for standard input, where a failing expansion has another status.
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
    except Ended as ended:  # a second one, during the trap
        die_of(ended.number)
    return status


def _commands(tree: Sequence) -> Iterator[tuple[Command, bool]]:
    """Each command with whether a line begins with it."""
    return zip(tree.items, tree.starts_line, strict=True)


def _lines(text: str, state: State) -> Iterator[tuple[Command, bool]]:
    """The commands of a text whose lines may define aliases, which hold from the next line on."""
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
        status = shell.tell(problem, io)
    except RecursionError:
        shell.complain("commands are nested too deep", io)
        status = 1
    status = trapped.run_exit_trap(shell, status, io)
    if shell.unfinished:
        shell.finish(io, standard_streams())
    return status


def _run_lines(shell: Interpreter, commands: Iterator[tuple[Command, bool]], io: dict[int, int]) -> int:
    """Run all; a problem that discards its line leaves the next ones."""
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
    """The simple command after which nothing is left to do, whatever its status is."""
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
    """The table of a shell's descriptors as the process has them: 0 to 2 and what else it was given."""
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
    """SHLVL, PWD and OLDPWD as bash sets them."""
    variables = state.variables
    level = variables.get("SHLVL") or "0"
    variables.set("SHLVL", str(int(level) + 1 if level.isascii() and level.isdecimal() and len(level) < 4 else 1))
    variables.set("PWD", state.folder)
    for name in ("SHLVL", "PWD"):
        variables.export(name)
    if variables.get("IFS") is not None:
        variables.restore("IFS", None, exported=False)
    variables.set("OPTIND", "1")
