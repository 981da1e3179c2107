"""Runs a program with one of Node's flags, given on the command line or in NODE_OPTIONS."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig import Box


def printed(program: str, box: Box, flag: str, is_variable: bool) -> str:
    """Return what `a.cjs` in the box prints under the program, which must exit with status 0."""
    environment = box.environment()
    if is_variable:
        environment["NODE_OPTIONS"] = flag
    words = [program, "a.cjs"] if is_variable else [program, flag, "a.cjs"]
    done = subprocess.run(
        words, cwd=box.folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
