"""Programs that print the same under rt and under Node: process, fs and os, each in a fresh folder.

Needs `node` on PATH, or its path in RT_TEST_NODE.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rig import Box, executable

PROGRAMS = sorted((Path(__file__).parent / "like_node").iterdir())
OLDEST = 26  # messages differ between versions


def find_node() -> str | None:
    """Return a node that is new enough to be the judge."""
    peers = os.environ.get("RT_PEERS") or str(Path.home() / ".cache/rt-peers")
    path = f"{os.environ['PATH']}:{peers}/bin:{peers}"
    for name in (os.environ.get("RT_TEST_NODE"), "node26", "node"):
        found = shutil.which(name, path=path) if name else None
        if found is not None:
            version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
            if int(version.lstrip("v").partition(".")[0] or 0) >= OLDEST:
                return found
    return None


NODE = find_node()
NAMES = re.compile(r"\((?:rt|node):\d+\)|`(?:rt|node\S*) --")


def outcome(box: Box, command: list[str], program: Path) -> tuple[str, str, int]:
    folder = box.folder / Path(command[0]).name
    folder.mkdir()
    shutil.copy(program, folder)
    result = subprocess.run(
        [*command, program.name],
        cwd=folder,
        env=box.environment(),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    said = NAMES.sub("<name>", result.stderr.decode())
    return result.stdout.decode().replace(str(folder), "<DIR>"), said.replace(str(folder), "<DIR>"), result.returncode


@pytest.mark.skipif(NODE is None, reason="there is no node 26 to compare with")
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_prints_what_node_prints(box: Box, program: Path) -> None:
    assert NODE is not None
    assert outcome(box, [executable()], program) == outcome(box, [NODE], program)
