"""An engine for each test, on V8 as the wheel installs it."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator

import pytest

from rt_supervisor import _native


@pytest.fixture(scope="session", autouse=True)
def v8(tmp_path_factory: pytest.TempPathFactory) -> None:
    spec = importlib.util.find_spec("py_mini_racer")
    assert spec is not None
    assert spec.submodule_search_locations
    wheel = spec.submodule_search_locations[0]
    folder = tmp_path_factory.mktemp("icu")
    os.symlink(os.path.join(wheel, "icudtl.dat"), folder / "icudt77l.dat")
    _native.v8_start(os.path.join(wheel, "libmini_racer.so"), str(folder), "--expose-gc")


@pytest.fixture
def engine() -> Iterator[_native.Engine]:
    engine = _native.Engine()
    yield engine
    engine.close()
