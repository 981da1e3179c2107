"""Loader names: the command line and import attributes accept those that the native module knows."""

from __future__ import annotations

import pytest

from rt_supervisor import _native
from rt_supervisor.cli.line.flag_values import LOADERS, MORE_LOADERS
from rt_supervisor.engine_worker.modules import loader

BY_ATTRIBUTE: tuple[str, ...] = loader._LOADERS


@pytest.mark.parametrize("name", sorted({*LOADERS, *MORE_LOADERS, *BY_ATTRIBUTE}))
def test_each_is_recognised(name: str) -> None:
    _native.TransformOptions(loaders={".x": name})


def test_unknown_loaders_are_rejected() -> None:
    with pytest.raises(ValueError, match='invalid loader "nope"'):
        _native.TransformOptions(loaders={".x": "nope"})


def test_no_loader_is_listed_twice() -> None:
    assert len({*LOADERS, *MORE_LOADERS}) == len(LOADERS) + len(MORE_LOADERS)
    assert len(set(BY_ATTRIBUTE)) == len(BY_ATTRIBUTE)
