"""Where source files meet the engine: the one place to plug it in."""

from __future__ import annotations

from ..errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..target import Target
    from .request import Request


def run_program(request: Request, target: Target | None) -> int:
    """Run a source file, standard input, or (without a target) evaluated code; return its exit status."""
    what = f'"{target.name}"' if target else "this code"
    raise Failed("no-engine", f"cannot run {what}: this version of rt runs scripts and binaries, no source files yet")
