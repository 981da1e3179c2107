"""The list of host operations is what the areas offer: a snapshot refers to nothing else."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys

from rt_supervisor.engine_worker import ops
from rt_supervisor.engine_worker.ops import names

PROGRAM = """
import json, os, sys
from importlib import import_module
from rt_supervisor.engine_worker.options import ProgramOptions
from rt_supervisor.engine_worker.worker import EngineWorker
worker = EngineWorker(ProgramOptions(entry="", arguments=(), executable="rt", environment={}, folder=os.getcwd()))
areas = {area: sorted(import_module("rt_supervisor.engine_worker.ops." + area).operations(worker)) for area in sys.argv[1:]}
print(json.dumps(areas))
os._exit(sys.stdout.flush() or 0)
"""
NOT_AREAS = {"names"}


def test_every_operation_is_named_and_every_name_is_an_operation() -> None:
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, *names.BY_AREA], capture_output=True, check=True, text=True, timeout=60
    )
    assert json.loads(found.stdout) == {area: sorted(listed) for area, listed in names.BY_AREA.items()}


def test_every_area_has_a_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(ops.__path__)}
    assert set(names.BY_AREA) <= modules
