"""How a forked engine worker becomes `rt FILE`: it runs rt's own `main` on the command line that a new process would have.

The zygote gets it as an object, because the zygote's layer is below the command line.
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
    """Runs command lines of rt with `main`, the entry of the process."""

    def __init__(self, main: Callable[[ReadyEngine], NoReturn]) -> None:
        self._main = main

    def prepare(self) -> None:
        """Import what a small program needs; tests/specs/test_engine_workers.py reports a module that is missing."""
        import importlib
        import warnings  # noqa: F401 - importlib imports it

        from ...engine_worker.program import options, provider  # noqa: F401
        from ...settings import env_files  # noqa: F401
        from ..line import flag_values  # noqa: F401
        from . import programs, runners  # noqa: F401

        for area in ("core", "modules", "process"):
            importlib.import_module(f"rt_supervisor.engine_worker.ops.{area}")

    def run(self, program: Sequence[str], engine: ReadyEngine) -> NoReturn:
        """Run `program` and end the process with its exit status."""
        called = program[0]
        sys.argv[:] = (program_path(called, os.environ) or called, *program[1:])
        sys._xoptions["rt-argv0"] = called
        self._main(engine)
