"""The test cases of the project's own eslint rules pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rig import executable

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    not (ROOT / "node_modules" / "eslint").is_dir(), reason="eslint is not installed: scripts/javascript-tools"
)
def test_the_cases_of_the_rules_hold() -> None:
    done = subprocess.run(
        [executable(), "scripts/eslint-rules/cases.js"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
