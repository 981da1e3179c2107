"""Executes functions and builtins (POSIX 2.9.1.1)."""

from __future__ import annotations

from . import builtins, processes, programs
from .problems import BrokenOutput, Return, ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .interpreter import Interpreter, Io
    from .tree import Command

DEEPEST_FUNCTIONS = 1000


def run_function(shell: Interpreter, body: Command, words: list[str], io: Io) -> int:
    state = shell.state
    if state.function_depth >= DEEPEST_FUNCTIONS:
        raise ShellProblem(f"{words[0]}: maximum function nesting level exceeded ({DEEPEST_FUNCTIONS})", fatal=True)
    arguments, loops, caller = state.arguments, state.loop_depth, state.function_name
    state.arguments = words[1:]
    state.function_name = words[0]
    state.function_depth += 1
    state.loop_depth = 0
    state.variables.enter()
    try:
        return shell.run(body, io)
    except Return as jump:
        return jump.status
    finally:
        state.variables.leave()
        state.function_depth -= 1
        state.function_name = caller
        state.loop_depth = loops
        state.arguments = arguments


def run_builtin(shell: Interpreter, builtin: builtins.Builtin, words: list[str], io: Io) -> int:
    call = builtins.Call(words[0], words[1:], shell, io)
    if shell.kept_output is not None:
        call.out = shell.kept_output
    try:
        try:
            status = builtin(call)
        finally:
            call.out.flush()
    except builtins.NotCovered as problem:
        if shell.kept_output is not None:
            from .brief import NotBrief

            raise NotBrief from problem
        return _run_system_command(shell, words, io, problem)
    except BrokenPipeError as error:
        raise BrokenOutput from error
    except OSError as error:
        shell.write_error(io, f"{words[0]}: {error.strerror or error}\n")
        return 1
    return status


def _run_system_command(shell: Interpreter, words: list[str], io: Io, problem: builtins.NotCovered) -> int:
    """Run the system's command instead of a builtin that does not support an option, unless there is none, as for
    `cd`."""
    path = processes.find_program(words[0], shell.state)
    if path is None:
        shell.write_error(io, f"{words[0]}: {problem}\n")
        return problem.status
    return programs.finish(shell, processes.start(path, words, shell.state, io, {}, shell.session.ignored))
