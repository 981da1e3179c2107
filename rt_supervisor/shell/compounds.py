"""Compound commands (POSIX 2.9.4): groups, branches, loops, `case`, `[[ ]]`, `(( ))`, and definitions of functions.

Each takes the shell environment (`interpreter.Interpreter`), the command and its table of descriptors.
"""

from __future__ import annotations

from .problems import LoopJump
from .tree import ArithmeticCommand, Case, Condition, For, ForArithmetic, Function, Group, If, While

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .interpreter import Interpreter, Io
    from .tree import Sequence


def run_group(shell: Interpreter, command: Group, io: Io) -> int:
    return shell.run_redirected(command.redirections, io, lambda table: shell.run(command.body, table))


def run_if(shell: Interpreter, command: If, io: Io) -> int:
    return shell.run_redirected(command.redirections, io, lambda table: _if(shell, command, table))


def _if(shell: Interpreter, command: If, io: Io) -> int:
    for condition, body in command.branches:
        if shell.run_checked(condition, io) == 0:
            return shell.run(body, io)
    return shell.run(command.otherwise, io) if command.otherwise is not None else 0


def run_while(shell: Interpreter, command: While, io: Io) -> int:
    return shell.run_redirected(command.redirections, io, lambda table: _while(shell, command, table))


def _while(shell: Interpreter, command: While, io: Io) -> int:
    return _loop(shell, lambda: (shell.run_checked(command.condition, io) == 0) != command.is_until, command.body, io)


def _loop(shell: Interpreter, goes_on: Callable[[], bool], body: Sequence, io: Io) -> int:
    """Run `body` while `goes_on`; `break` and `continue` in either refer to this loop."""
    status = 0
    shell.state.loop_depth += 1
    try:
        while True:
            try:
                if not goes_on():
                    return status
                status = shell.run(body, io)
            except LoopJump as jump:
                status = 0
                if _leaves_loop(shell, jump):
                    return status
    finally:
        shell.state.loop_depth -= 1


def _leaves_loop(shell: Interpreter, jump: LoopJump) -> bool:
    if jump.levels > 1 and shell.state.loop_depth > 1:
        raise LoopJump(jump.levels - 1, continues=jump.continues)
    return not jump.continues


def run_for(shell: Interpreter, command: For, io: Io) -> int:
    return shell.run_redirected(command.redirections, io, lambda table: _for(shell, command, table))


def _for(shell: Interpreter, command: For, io: Io) -> int:
    _begin(shell, command, io)
    values = iter(shell.state.arguments[:] if command.words is None else shell.expander.words(command.words))

    def goes_on() -> bool:
        for value in values:
            shell.state.variables.set(command.name, value)
            return True
        return False

    return _loop(shell, goes_on, command.body, io)


def _begin(shell: Interpreter, command: For | ForArithmetic | Case | Condition | ArithmeticCommand, io: Io) -> None:
    """Prepare the expansion of the words of `command`."""
    shell.io = io
    shell.state.line = command.line


def run_for_arithmetic(shell: Interpreter, command: ForArithmetic, io: Io) -> int:
    return shell.run_redirected(command.redirections, io, lambda table: _for_arithmetic(shell, command, table))


def _for_arithmetic(shell: Interpreter, command: ForArithmetic, io: Io) -> int:
    _begin(shell, command, io)
    number = shell.expander.number
    number(command.start)
    is_first = True

    def goes_on() -> bool:
        nonlocal is_first
        if not is_first:
            number(command.step)
        is_first = False
        return not shell.expander.string(command.condition).strip() or number(command.condition) != 0

    return _loop(shell, goes_on, command.body, io)


def run_case(shell: Interpreter, command: Case, io: Io) -> int:
    return shell.run_redirected(command.redirections, io, lambda table: _case(shell, command, table))


def _case(shell: Interpreter, command: Case, io: Io) -> int:
    _begin(shell, command, io)
    value = shell.expander.string(command.word)
    status = 0
    falls_through = False
    for item in command.items:
        if not falls_through and not any(shell.expander.pattern(word).matches(value) for word in item.patterns):
            continue
        status = shell.run(item.body, io) if item.body.items else 0
        if item.ending == ";;":
            break
        falls_through = item.ending == ";&"
    return status


def run_function_definition(shell: Interpreter, command: Function, io: Io) -> int:
    shell.state.functions[command.name] = command.body
    return 0


def run_condition(shell: Interpreter, command: Condition, io: Io) -> int:
    from . import conditions

    def test(table: Io) -> int:
        _begin(shell, command, table)
        return int(not conditions.holds(command.expression, shell.expander, table))

    return shell.run_redirected(command.redirections, io, test)


def run_arithmetic(shell: Interpreter, command: ArithmeticCommand, io: Io) -> int:
    def evaluate(table: Io) -> int:
        _begin(shell, command, table)
        return int(shell.expander.number(command.expression) == 0)

    return shell.run_redirected(command.redirections, io, evaluate)


RUNNERS: dict[type, Callable[[Interpreter, Any, Io], int]] = {
    Group: run_group,
    If: run_if,
    While: run_while,
    For: run_for,
    ForArithmetic: run_for_arithmetic,
    Case: run_case,
    Function: run_function_definition,
    Condition: run_condition,
    ArithmeticCommand: run_arithmetic,
}
