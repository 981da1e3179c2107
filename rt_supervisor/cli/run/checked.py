"""`rt --check FILE`: parses and compiles a file, or standard input, without running it. Prints the first error as Node does."""

from __future__ import annotations

from ...vocabulary.errors import Failed
from ..streams import write
from .programs import program_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...settings.target import Target
    from ..request import Request

_BAD_ARGUMENT = 9  # Node's status for flags that do not go together


def check_program(request: Request, target: Target | None, engine: ReadyEngine | None) -> int:
    """Check the file or standard input that `target` names; return 0, or 1 for a syntax error. Raises Failed."""
    if target is None:
        raise Failed("invalid-flag-value", "either --check or --eval can be used, not both", _BAD_ARGUMENT)
    from ...engine_worker.program.checking import syntax_error
    from ...engine_worker.program.provider import ProgramProvider

    error = syntax_error(ProgramProvider(program_options(request, target), ready=engine))
    if error is None:
        return 0
    caret = " " * (error.column - 1) + "^"
    write(2, f"{error.file}:{error.line}\n{error.source}\n{caret}\n\nSyntaxError: {error.message}\n")
    return 1
