"""Traps that are not caused by a signal (POSIX 2.14 trap): EXIT, and bash's ERR. `session` runs those of signals."""

from __future__ import annotations

from .problems import Exit, Jump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .interpreter import Interpreter, Io


def run_exit_trap(shell: Interpreter, status: int, io: Io) -> int:
    """Run the EXIT trap, once; return the exit status of the shell."""
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
    """Run the ERR trap, unless it is running, and in functions only with `set -E`."""
    state = shell.state
    if state.function_depth and "errtrace" not in state.options:
        return
    text = state.traps.pop("ERR")
    try:
        shell.run_text(text, io, first_line=state.line)
    finally:
        state.traps.setdefault("ERR", text)
        state.status = status
