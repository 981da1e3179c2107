"""The RT global compared with tables of Bun's results (`rt_global/*.mjs` and the `.json` beside each).

If Bun is installed, its results are compared with the tables as well, so that outdated tables are noticed.
`RT_RECORD_TABLES=1` regenerates them from Bun.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import js_peers
import pytest
from rig import Box, executable

FOLDER = Path(__file__).parent / "rt_global"
PROGRAMS = sorted(path for path in FOLDER.glob("*.mjs") if path.name != "table.mjs")


def answers(box: Box, program: str, path: Path) -> dict[str, Any]:
    done = subprocess.run(
        [program, str(path)], cwd=box.folder, env=box.environment(), capture_output=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr.decode()
    rows: list[list[Any]] = json.loads(done.stdout)
    return {f"{place}: {label}": value for place, (label, value) in enumerate(rows)}


def table(path: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return kept


def differences(found: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    return {
        label: (found.get(label), expected.get(label))
        for label in {**found, **expected}
        if found.get(label) != expected.get(label)
    }


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_results_match_the_table(box: Box, path: Path) -> None:
    assert differences(answers(box, executable(), path), table(path)) == {}


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_the_table_matches_bun(box: Box, path: Path) -> None:
    found = answers(box, js_peers.peer(), path)
    if os.environ.get("RT_RECORD_TABLES"):
        lines = ",\n".join(
            f"{json.dumps(label, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
            for label, value in found.items()
        )
        path.with_suffix(".json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    assert differences(found, table(path)) == {}


def test_a_sleep_longer_than_a_timer_may_be_goes_on(box: Box) -> None:
    program = """
        for (const time of [Infinity, 1e20]) RT.sleep(time).then(() => console.log('over'));
        setTimeout(() => { console.log('ends'); process.exit(); }, 2);
    """
    done = box.run("-e", program)
    assert (done.stdout, done.stderr) == (b"ends\n", b"")


def test_colours_are_loaded_with_the_first_call(box: Box) -> None:
    loaded = "readFileSync('/proc/self/maps', 'utf8').includes('librt_colors')"
    box.write(
        {
            "a.mjs": f"""
        import {{ readFileSync }} from 'node:fs';
        console.log({loaded}, RT.color('teal', 'hex'), {loaded});
    """
        }
    )
    result = box.run("a.mjs")
    assert (result.stdout, result.returncode) == (b"false #008080 true\n", 0), result.stderr
