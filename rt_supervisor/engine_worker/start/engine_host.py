"""A zygote that has V8 and an engine ready, and no program yet; workers are forked from it.

The zygote owns forking (`workers/zygote.py`). This file prepares the zygote for source files and separates a worker from its
siblings: threads of V8, random numbers, an engine. A worker runs what `rt FILE` runs; if a program needs other flags of V8,
the worker replaces itself by a new process before any of the program has run.
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
    """Runs rt's command lines of source files in a ready engine."""

    ignored: Collection[int] = (_signal.SIGPIPE, _signal.SIGXFSZ)  # as the interpreter leaves them when it starts
    takes_missed_signals = False

    def __init__(self, host: ProgramHost) -> None:
        self._host = host
        self._engine: ReadyEngine | None = None

    def prepare(self) -> None:
        """Import all that a small program needs, and make the engine. Raises Failed when V8 cannot be started."""
        from .bundle import start_ahead

        _native.v8_hold_threads()
        start_ahead()  # on a thread, during the imports; it has ended when the engine exists
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
