"""Fixtures for tests that need files but no processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from trees import Write, write_tree


@pytest.fixture
def tree(tmp_path: Path) -> Write:
    """Write files below a temporary folder and return that folder."""
    return lambda files: write_tree(tmp_path / "tree", files)
