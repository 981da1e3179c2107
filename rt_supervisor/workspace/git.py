"""Runs git: started beside other work, or to its end. Its output is bytes; a failure is None."""

from __future__ import annotations

import os
import subprocess


def start(root: str, *words: str, reads: bool = False) -> subprocess.Popen[bytes] | None:
    """Start git in `root`, with a pipe as its input if it `reads`; None if it is not installed."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.Popen(
            ["git", "-c", "core.quotePath=false", *words],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def finish(process: subprocess.Popen[bytes] | None, data: bytes | None = None) -> bytes | None:
    """Give git its input and return what it printed, None if it failed."""
    if process is None:
        return None
    output, _ = process.communicate(data)
    return output if process.returncode == 0 else None


def run(root: str, *words: str, data: bytes | None = None) -> bytes | None:
    """Run git in `root`, with `data` as its input, and return what it printed, None if it failed."""
    return finish(start(root, *words, reads=data is not None), data)
