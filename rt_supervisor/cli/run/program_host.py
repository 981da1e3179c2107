"""How a forked engine worker becomes `rt FILE`: it runs rt's own `main` on the command line that a new process would have.

The zygote gets this as an object, because it stands below the command line and may not import it.
"""

from __future__ import annotations

import os
import sys

from ...plan.program_text import program_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from ...engine_worker.start.ready_engine import ReadyEngine


class RtProgramHost:
    """Runs rt's command lines with `main`, the process's entry."""

    def __init__(self, main: Callable[[ReadyEngine], NoReturn]) -> None:
        self._main = main

    def prepare(self) -> None:
        """Import what a small program needs on its way; tests/specs/test_engine_workers.py knows when that is not all."""
        import importlib
        import warnings  # noqa: F401 - what importlib asks for

        from ...engine_worker.program import options, worker  # noqa: F401
        from ...settings import env_files  # noqa: F401
        from ..line import flag_values  # noqa: F401
        from . import programs, runners  # noqa: F401

        for area in ("core", "modules", "process"):
            importlib.import_module(f"rt_supervisor.engine_worker.ops.{area}")

    def run(self, program: Sequence[str], engine: ReadyEngine) -> NoReturn:
        """Be `program`, and end as it does."""
        called = program[0]
        sys.argv[:] = (program_path(called, os.environ) or called, *program[1:])
        sys._xoptions["rt-argv0"] = called
        self._main(engine)
