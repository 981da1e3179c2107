"""The list of operations in the start-up snapshot is exactly what the areas provide."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from rt_supervisor._native import HOST_OPERATIONS
from rt_supervisor.engine_worker.ops import names
from rt_supervisor.engine_worker.program.options import ProgramOptions
from rt_supervisor.engine_worker.program.provider import ProgramProvider


def test_areas_offer_what_is_listed() -> None:
    worker = ProgramProvider(ProgramOptions("", (), "rt", {}, "/", code="0"))
    for area, listed in names.BY_AREA.items():
        offered = offered_by_python(area, worker)
        native = {name.removeprefix(f"{area}_") for name in HOST_OPERATIONS if name.startswith(f"{area}_")}
        assert offered | native == set(listed), area
    worker.engine.close()


def offered_by_python(area: str, worker: ProgramProvider) -> set[str]:
    name = f"rt_supervisor.engine_worker.ops.{area}"
    return set(import_module(name).operations(worker)) if find_spec(name) is not None else set()
