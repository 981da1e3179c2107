"""Runs the stand-in rt as a process, as a shell would."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STAND_IN = Path(__file__).with_name("stand_in.py")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run rt in an empty folder: `run("run", "x", FORCE_COLOR="1")`."""

    def call(*argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
        base = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
        return subprocess.run(
            [sys.executable, str(STAND_IN), *argv],
            cwd=tmp_path,
            env=base | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return call


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a folder with scripts, a binary and files."""
    (tmp_path / "package.json").write_text(
        '{"scripts": {"build": "tsc -p .", "build:css": "echo a\\necho b", "dev": "x", "empty": ""}}'
    )
    binary = tmp_path / "node_modules/.bin/tool"
    binary.parent.mkdir(parents=True)
    binary.write_text("#!/bin/sh\n")
    binary.chmod(0o755)
    (tmp_path / "main.ts").write_text("")
    return tmp_path
