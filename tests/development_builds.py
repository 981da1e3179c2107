"""The instrumented build that scripts/check-development has made, and the reports of its sanitizers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import IO

BUILD = "RT_CHECK_BUILD"  # its folder
SEED = int(os.environ.get("RT_CHECK_SEED", "1"))
USE_AFTER_FREE = "ERROR: AddressSanitizer: heap-use-after-free"
OVERFLOW = "ERROR: AddressSanitizer: heap-buffer-overflow"
LEAK = "ERROR: LeakSanitizer: detected memory leaks"
QUIET = {"RT_DEBUG_QUIET_LOGS": "1", "ASAN_OPTIONS": "", "LSAN_OPTIONS": ""}  # reports go to stderr


def is_present() -> bool:
    return BUILD in os.environ


def folder() -> Path:
    return Path(os.environ[BUILD])


def count(name: str, default: int) -> int:
    """Return how many mutated texts to try: RT_CHECK_<NAME>."""
    return int(os.environ.get(f"RT_CHECK_{name}", default))


def run(
    program: str, *arguments: str | Path, cwd: Path | None = None, input: str | None = None, leaks: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run `rt-debug` or `python` of the build; with `leaks`, it searches for leaks at its end."""
    settings = os.environ | QUIET | {"RT_DEBUG_LEAKS": str(int(leaks))}
    command = [folder() / program, *arguments]
    return subprocess.run(command, cwd=cwd, env=settings, input=input, capture_output=True, text=True)


def start(program: str, *arguments: str, cwd: Path, stderr: IO[str]) -> subprocess.Popen[str]:
    """Start a program of the build with its output in a pipe."""
    return subprocess.Popen(
        [folder() / program, *arguments],
        cwd=cwd,
        env=os.environ | QUIET,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )


def is_clean(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 0 and "Sanitizer" not in done.stderr and "panicked" not in done.stderr
