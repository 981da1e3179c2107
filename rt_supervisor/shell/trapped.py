"""Traps that no signal sets off (POSIX 2.14 trap): EXIT, and bash's ERR. Those of signals are `session`'s."""

from __future__ import annotations

from .problems import Exit, Jump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .interpreter import Interpreter, Io


def run_exit_trap(shell: Interpreter, status: int, io: Io) -> int:
    """Run what `trap … EXIT` asks for, once; return the status with which the shell then ends."""
    text = shell.state.traps.pop("EXIT", None)
    if not text:
        return status
    shell.state.status = status
    try:
        shell.run_text(text, io)
    except Exit as jump:
        return jump.status
    except Jump:
        return status
    return status


def run_error_trap(shell: Interpreter, status: int, io: Io) -> None:
    """Run what `trap … ERR` asks for, not within itself, and not in functions unless `set -E`."""
    state = shell.state
    if state.function_depth and "errtrace" not in state.options:
        return
    text = state.traps.pop("ERR")
    try:
        shell.run_text(text, io, first_line=state.line)
    finally:
        state.traps.setdefault("ERR", text)
        state.status = status
