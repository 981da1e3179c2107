"""An engine that is created before its program is known: it contains the runtime, but nothing of a program.

`program/provider.py` adds the rest: operations, options, process. A ready engine is used once.
"""

from __future__ import annotations

from ... import _native
from . import bundle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class WholeProcessNeeded(BaseException):
    """The program needs flags that this process's V8 was not started with. A `BaseException`, so that no handler catches it."""


class ReadyEngine:
    """Starts V8 as for every program, except for its threads, which do not survive a fork, and creates an engine."""

    def __init__(self) -> None:
        """Raises Failed if V8 cannot be started. `v8_hold_threads` must have been called before."""
        self._operation: Callable[[str], Any] | None = None
        self.engine = bundle.make_engine(self._find)

    def become_own(self) -> None:
        """Give this fork its own threads of V8 and random numbers. Raises OSError."""
        _native.v8_release_threads()
        self.engine.reseed()

    def used_by(
        self, operation: Callable[[str], Any], *, is_small: bool, heap_limit_bytes: int | None
    ) -> _native.Engine:
        """Return the engine, which looks up its host functions with `operation`.

        Raises WholeProcessNeeded for --smol and for another heap limit.
        """
        if is_small or heap_limit_bytes is not None:
            raise WholeProcessNeeded
        self._operation = operation
        return self.engine

    def _find(self, name: str) -> Any:
        assert self._operation is not None
        return self._operation(name)
