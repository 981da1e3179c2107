"""Commands that control execution (POSIX 2.14): exit, return, break, continue, eval, `.`, shift, `:`."""

from __future__ import annotations

import os

from ..problems import Exit, LoopJump, Return, ShellProblem
from ..state import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call


def true_(call: Call) -> int:
    return 0


def false_(call: Call) -> int:
    return 1


def exit_shell(call: Call) -> int:
    if len(call.arguments) > 1:
        return call.fail("too many arguments")
    raise Exit(_status(call))


def return_from(call: Call) -> int:
    if len(call.arguments) > 1:
        return call.fail("too many arguments")
    status = _status(call)
    if call.state.function_depth == 0:
        return call.fail("can only return from a function or a sourced file", 2)
    raise Return(status)


def _status(call: Call) -> int:
    """Return the status in the argument, or that of the last command; a non-numeric argument ends the shell, as in
    bash."""
    if not call.arguments:
        return call.state.status
    text = call.arguments[0]
    if not text.lstrip("+-").isdecimal() or not text.isascii():
        call.complain("numeric argument required")
        raise Exit(1)
    return int(text) & 255


def break_loop(call: Call) -> int:
    return _leave(call, continues=False)


def continue_loop(call: Call) -> int:
    return _leave(call, continues=True)


def _leave(call: Call, *, continues: bool) -> int:
    if call.state.loop_depth == 0:
        return 0  # bash only warns
    levels = call.arguments[0] if call.arguments else "1"
    if not levels.isdecimal() or int(levels) < 1:
        return call.fail(f"{levels}: loop count out of range")
    raise LoopJump(int(levels), continues=continues)


def eval_(call: Call) -> int:
    return call.shell.run_text(" ".join(call.arguments), call.io, first_line=call.state.line)


def source(call: Call) -> int:
    if not call.arguments:
        return call.fail("filename argument required", 2)
    name = path = call.arguments[0]
    if "/" not in name:
        for folder in (call.state.variables.get("PATH") or "").split(":"):
            candidate = f"{call.path(folder)}/{name}"
            if folder and os.path.isfile(candidate):
                path = candidate
                break
    try:
        text = decoded(b"".join(call.blocks(path)))
    except (OSError, ValueError) as error:
        return call.report_os_error(name, error)
    state = call.state
    arguments = state.arguments
    if call.arguments[1:]:
        state.arguments = call.arguments[1:]
    state.function_depth += 1
    state.variables.enter()
    try:
        return call.shell.run_text(text, call.io)
    except Return as jump:
        return jump.status
    finally:
        state.variables.leave()
        state.function_depth -= 1
        state.arguments = arguments


def shift(call: Call) -> int:
    text = call.arguments[0] if call.arguments else "1"
    if not text.isdecimal():
        return call.fail(f"{text}: numeric argument required")
    if int(text) > len(call.state.arguments):
        return 1
    del call.state.arguments[: int(text)]
    return 0


def exec_(call: Call) -> int:
    raise ShellProblem("exec: cannot be called this way")
