"""Files named in comments and docstrings exist: a name in backticks with a folder, relative to any parent folder."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "rt_supervisor" / "engine_worker"
REFERENCE = re.compile(r"`((?:[\w-]+/)+[\w-]+\.(?:py|js|rs|c|pyi))`")


def sources() -> list[Path]:
    folders = (
        ROOT / "rt_supervisor",
        ROOT / "native" / "src",
        ROOT / "native" / "wire" / "src",
        ROOT / "native" / "guardian" / "src",
        ROOT / "native" / "launcher" / "src",
        ROOT / "native" / "crypto" / "src",
    )
    return [
        path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".pyi", ".js", ".rs")
    ]


def missing(text: str, path: Path) -> list[str]:
    above = [
        *(folder for folder in path.parents if folder.is_relative_to(ROOT)),
        LIBRARY,
        LIBRARY / "js",
        ROOT / "native" / "src",
    ]
    return [name for name in REFERENCE.findall(text) if not any((folder / name).is_file() for folder in above)]


def test_every_named_file_exists() -> None:
    found = {str(path.relative_to(ROOT)): missing(path.read_text("utf-8"), path) for path in sources()}
    assert {path: names for path, names in found.items() if names} == {}


def test_a_missing_file_is_detected() -> None:
    path = ROOT / "rt_supervisor" / "graph.py"
    assert missing("see `js/node/gone.js` and `cli/main.py`", path) == ["js/node/gone.js"]
