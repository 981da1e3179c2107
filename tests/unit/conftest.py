"""Fixtures for tests that need files but no processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[dict[str, object]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Write:
    """Write files below a fresh folder and return it; a value that is no text is written as JSON."""

    def write(files: dict[str, object]) -> Path:
        root = tmp_path / "tree"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        root.mkdir(exist_ok=True)
        return root

    return write
