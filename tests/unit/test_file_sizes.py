"""No source file is longer than 500 lines, except tables. The limit is a hint: most files have about 150 lines."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).parents[2]
FOLDERS = ("rt_supervisor", "native", "packaging", "benchmarks", "tests", "scripts")
KINDS = {".py", ".js", ".cjs", ".mjs", ".rs"}
MOST_LINES = 500

# Files with one entry a line and nothing else.
TABLES: set[str] = set()


def lengths() -> dict[str, int]:
    files = (
        path
        for folder in FOLDERS
        for path in (PROJECT / folder).rglob("*")
        if path.suffix in KINDS and not {"target", "node_modules", "fixtures"} & set(path.parts)
    )
    return {str(path.relative_to(PROJECT)): path.read_bytes().count(b"\n") for path in files if path.is_file()}


def test_files_stay_short() -> None:
    found = lengths()
    assert len(found) > 500
    too_long = {name: lines for name, lines in found.items() if name not in TABLES and lines > MOST_LINES}
    assert not too_long, "split them by what they own"
