"""The part of the provider that operations use: the program's loop, entry, output and engine.

An area that needs more declares a protocol here. Two areas take the whole provider: modules (`ops/modules.py`) and
workers (`ops/workers.py`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from .. import _native
    from .inspecting.debugging import Debugging
    from .program.options import ProgramOptions

    class Host(Protocol):
        @property
        def loop(self) -> _native.Loop: ...

        @property
        def entry(self) -> _native.JsObject:
            """JavaScript's functions that Python calls."""

        @property
        def output(self) -> _native.ProgramOutput: ...

        @property
        def engine(self) -> _native.Engine: ...

    class HostWithDebugger(Host, Protocol):
        @property
        def debugging(self) -> Debugging: ...

        @property
        def options(self) -> ProgramOptions: ...
