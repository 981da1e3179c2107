"""Every operation that an area offers stands in the list that the start-up snapshot is made with, and no other."""

from __future__ import annotations

from importlib import import_module
from unittest.mock import MagicMock

import pytest
from rt_supervisor.engine_worker.ops import names


@pytest.mark.parametrize("area", names.BY_AREA)
def test_area_offers_what_is_listed(area: str) -> None:
    offered = import_module(f"rt_supervisor.engine_worker.ops.{area}").operations(MagicMock())
    assert set(offered) == set(names.BY_AREA[area])
