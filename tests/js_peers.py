"""The programs that rt's library is compared with: Node 26, and Bun, whose console output rt follows.

Neither is part of the project; a test that needs a missing one is skipped with the reason.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "unit" / "engine_worker" / "js"
# Where to look for the programs if they are not on PATH.
PEERS = Path(os.environ.get("RT_PEERS") or Path.home() / ".cache" / "rt-peers" / "bin")
INTERNALS = ("--expose-internals", "--no-warnings")


def _find(*names: str) -> str | None:
    """Return the first of the names found on PATH or in the folder of peers."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(PEERS)])
    return next((found for name in names if (found := shutil.which(name, path=path))), None)


def node() -> str:
    """Return Node 26 or skip the test: older versions print differently."""
    found = _node_and_version()
    if found is None:
        pytest.skip("no Node 26 (node26 or node on PATH) to compare with")
    return found[0]


def node_version() -> str | None:
    """Return the version of Node 26, or None if it is not installed."""
    found = _node_and_version()
    return None if found is None else found[1]


@functools.cache
def _node_and_version() -> tuple[str, str] | None:
    for name in ("node26", "node"):
        program = _find(name)
        if program is None:
            continue
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        if version.startswith("v26."):
            return program, version
    return None


@functools.cache
def peer() -> str:
    """Return Bun or skip the test."""
    program = _find("bun")
    if program is None:
        pytest.skip("the peer is not installed: nothing to compare console output with")
    return program


class Conversation:
    """A program that answers each JSON line with one line."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=FOLDER, text=True, encoding="utf-8"
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
