"""File trees for tests that need files but no processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

Write = Callable[[dict[str, object]], Path]


def write_tree(root: Path, files: dict[str, object]) -> Path:
    """Write `files` below `root` and return it; a value that is neither text nor bytes is written as JSON."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return root
