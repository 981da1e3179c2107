"""The names of loaders: the native module knows every one that the command line takes."""

from __future__ import annotations

import pytest

from rt_supervisor import _native
from rt_supervisor.cli.line.flag_values import LOADERS


@pytest.mark.parametrize("name", sorted(LOADERS))
def test_every_name_is_known(name: str) -> None:
    _native.TransformOptions(loaders={".x": name})


def test_an_unknown_loader_is_refused() -> None:
    with pytest.raises(ValueError, match='invalid loader "nope"'):
        _native.TransformOptions(loaders={".x": "nope"})


def test_names_are_distinct() -> None:
    assert len(set(LOADERS)) == len(LOADERS)
