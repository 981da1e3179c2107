"""`_native.pyi` says what the native module has: names and signatures, compared by mypy's stubtest.

`_crypto.pyi` names no functions: JavaScript alone calls them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ALLOWED = Path(__file__).with_name("native_stub_allowed.txt")


def test_the_stub_is_as_the_module(tmp_path: Path) -> None:
    pytest.importorskip("mypy.stubtest")
    options = ["--concise", "--ignore-disjoint-bases", "--allowlist", str(ALLOWED)]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *options, "rt_supervisor._native"],
        cwd=PROJECT,
        env={"MYPY_CACHE_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
