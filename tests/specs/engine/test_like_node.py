"""Programs that print the same under rt and under Node, one folder per area; each runs in an empty directory."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from rig import Box, executable

FOLDER = Path(__file__).parent / "like_node"
PROGRAMS = sorted(FOLDER.glob("*/*.[cm]js"))
TLS_IDENTITY = Path(__file__).parent / "tls_identity.cjs"  # programs require it from their parent directory
NAMES = re.compile(r"\((?:rt|node):\d+\)|`(?:rt|node\S*) --")


def outcome(box: Box, command: list[str], program: Path) -> tuple[str, str, int]:
    folder = box.folder / Path(command[0]).name
    folder.mkdir()
    shutil.copy(program, folder)
    shutil.copy(TLS_IDENTITY, box.folder)
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


@pytest.mark.parametrize("program", PROGRAMS, ids=[f"{program.parent.name}/{program.stem}" for program in PROGRAMS])
def test_prints_what_node_prints(box: Box, program: Path) -> None:
    assert outcome(box, [executable()], program) == outcome(box, [peers.node()], program)
