"""`rt README.md` compared with a table of Bun's output (`pages.json`: text, columns, shown).

If Bun is installed, its output is compared with the table as well; `RT_RECORD_TABLES=1` regenerates it.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import js_peers
import pytest
from rig import Box, executable

TABLE = Path(__file__).parent / "pages.json"
ROWS: list[tuple[str, int, str]] = [tuple(row) for row in json.loads(TABLE.read_text(encoding="utf-8"))]


def render(box: Box, program: str, text: str, columns: int) -> str:
    box.write({"page.md": text})
    done = subprocess.run(
        [program, "page.md"],
        cwd=box.folder,
        env={**box.environment(), "COLUMNS": str(columns)},
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize("place", range(len(ROWS)))
def test_a_page_is_shown_as_the_table_says(box: Box, place: int) -> None:
    text, columns, expected = ROWS[place]
    assert render(box, executable(), text, columns) == expected


def test_the_table_matches_bun(box: Box) -> None:
    rows = [(text, columns, render(box, js_peers.peer(), text, columns)) for text, columns, _ in ROWS]
    if os.environ.get("RT_RECORD_TABLES"):
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        TABLE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    assert [tuple(row) for row in rows] == ROWS


@pytest.mark.parametrize(
    ("environment", "has_colours"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
    ],
)
def test_colours_can_be_forced(box: Box, environment: dict[str, str], has_colours: bool) -> None:
    box.write({"page.md": "# Hello"})
    for _ in range(2):  # the second time from the start cache
        assert (b"\x1b[" in box.run("page.md", environment=environment).stdout) == has_colours


def test_a_page_may_be_named_after_run_and_is_read_by_its_loader_if_one_is_given(box: Box) -> None:
    box.write({"page.md": "# Hello *you*\n"})
    assert box.run("run", "page.md").stdout == b"Hello you\n=========\n"
    box.write({"page.markdown": "a **b**\n"})
    assert box.run("./page.markdown").stdout == b"a b\n"
    box.write({"script.md": "console.log(6 * 7)\n"})
    assert box.run("--loader", ".md:js", "script.md").stdout == b"42\n"
