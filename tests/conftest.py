"""Fixtures that every kind of test uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import Box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A fresh folder to run rt in; whatever is still alive at the end is killed."""
    folder = tmp_path / "w"
    folder.mkdir()
    made = Box(folder)
    yield made
    made.close()
