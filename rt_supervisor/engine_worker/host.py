"""What an area of operations has of the program that it serves: its loop, its entry, its output and its engine.

Most areas need no more; those that do (modules, processes, workers) take the whole program.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from .. import _native
    from .program.output import ProgramOutput

    class Host(Protocol):
        @property
        def loop(self) -> _native.Loop: ...

        @property
        def entry(self) -> _native.JsObject:
            """JavaScript's functions that Python calls."""

        @property
        def output(self) -> ProgramOutput: ...

        @property
        def engine(self) -> _native.Engine: ...
