"""RT.serve: programs that serve and send requests to themselves; the expected output beside them was reviewed and
compared with Bun's.

Regenerate the tables with RT_WRITE_TABLES=1 and review the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rig import Box

PROGRAMS = sorted((Path(__file__).parent / "rt_serve").glob("*.mjs"))


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_prints_the_table(box: Box, program: Path) -> None:
    result = box.run(str(program))
    table = program.with_suffix(".txt")
    if os.environ.get("RT_WRITE_TABLES"):
        table.write_bytes(result.stdout)
    assert result.stdout.decode() == table.read_text(), result.stderr.decode()
    assert result.returncode == 0
