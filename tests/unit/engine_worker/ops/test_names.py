"""Every operation that an area offers stands in the list that the start-up snapshot is made with, and no other."""

from __future__ import annotations

from importlib import import_module

from rt_supervisor._native import HOST_OPERATIONS
from rt_supervisor.engine_worker.ops import names
from rt_supervisor.engine_worker.program.options import ProgramOptions
from rt_supervisor.engine_worker.program.worker import EngineWorker


def test_areas_offer_what_is_listed() -> None:
    worker = EngineWorker(ProgramOptions("", (), "rt", {}, "/", code="0"))
    for area, listed in names.BY_AREA.items():
        offered = import_module(f"rt_supervisor.engine_worker.ops.{area}").operations(worker)
        native = {name.removeprefix(f"{area}_") for name in HOST_OPERATIONS if name.startswith(f"{area}_")}
        assert set(offered) | native == set(listed), area
    worker.engine.close()
