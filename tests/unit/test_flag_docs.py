"""docs/flags.md is up to date with the flag table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "flag-docs"


def test_the_page_is_current() -> None:
    result = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
