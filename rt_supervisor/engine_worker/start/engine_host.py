"""A zygote with V8 and an engine, but without a program; workers are forked from it.

`workers/zygote.py` implements forking. This file prepares the zygote for source files and gives each worker its own
threads of V8, random numbers and engine. A worker runs the same code as `rt FILE`; if a program needs other flags of
V8, the worker replaces itself with a new process before any part of the program has run.
"""

from __future__ import annotations

import _signal
import os
import sys

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import NoReturn, Protocol

    from .ready_engine import ReadyEngine

    class ProgramHost(Protocol):
        """Runs `rt FILE` in this process."""

        def prepare(self) -> None:
            """Import the modules that `run` needs."""

        def run(self, program: Sequence[str], engine: ReadyEngine) -> NoReturn:
            """Run rt's command line `program` (its path, or its name on PATH, first) in `engine` and end the process."""


class EngineHost:
    """Runs rt's command lines of source files in a prepared engine."""

    ignored: Collection[int] = (_signal.SIGPIPE, _signal.SIGXFSZ)  # as the interpreter sets them when it starts
    takes_missed_signals = False

    def __init__(self, host: ProgramHost) -> None:
        self._host = host
        self._engine: ReadyEngine | None = None

    def prepare(self) -> None:
        """Import everything that a small program needs, and create the engine. Raises Failed if V8 cannot be
        started."""
        from .bundle import start_ahead

        _native.v8_hold_threads()
        start_ahead()  # on a thread, during the imports; it ends before the engine exists
        self._host.prepare()
        from .ready_engine import ReadyEngine

        self._engine = ReadyEngine()

    def become_own(self) -> None:
        """Give this worker its own threads, random numbers and times."""
        assert self._engine is not None
        self._engine.become_own()

    def command_line(self, program: Sequence[str]) -> Sequence[bytes]:
        """Return the interpreter's command line, as a new process would have it."""
        return [os.fsencode(word) for word in (sys.orig_argv[0], *program)]

    def run(self, program: Sequence[str], *, ignored: int) -> NoReturn:
        """Run `program` and end the process; `ignored` signals stay ignored."""
        from .ready_engine import WholeProcessNeeded

        assert self._engine is not None
        try:
            self._host.run(program, self._engine)
        except WholeProcessNeeded:
            for number in self.ignored:
                _signal.signal(number, _signal.SIG_DFL)
            os.execvp(program[0], list(program))
