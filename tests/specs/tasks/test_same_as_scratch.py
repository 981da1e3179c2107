"""Random workspaces and edits: after each edit, the cached run leaves the same tree and prints the same as a run from scratch.

The run from scratch is bash in each package, in the order of the dependencies: it shares no code with rt. `RT_TEST_EDITS` sets the
number of edits, `RT_TEST_SEED` the first workspace.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from random_workspaces import Workspace, tree
from rig import Box

EDITS = int(os.environ.get("RT_TEST_EDITS", "300"))
SEED = int(os.environ.get("RT_TEST_SEED", "1"))
WORKSPACES = 15


def printed(output: bytes) -> list[str]:
    """Return the lines of scripts, without those about the ends of tasks, whose order is not fixed."""
    lines = output.decode().splitlines()
    return sorted(line for line in lines if ": cached, saved " not in line and ": Exited with code " not in line)


def spoil_store(cache: Path, chance: random.Random) -> None:
    """Damage one file of the store: a damaged result must be a miss."""
    files = sorted(
        path
        for path in (cache / "rt/tasks").rglob("*")
        if path.is_file() and path.stat().st_size and "workspaces" not in path.parts
    )
    if files:
        path = chance.choice(files)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2] if chance.random() < 0.5 else bytes([data[0] ^ 1]) + data[1:])


@pytest.mark.parametrize("seed", range(SEED, SEED + WORKSPACES))
@pytest.mark.parametrize("in_git", [True, False], ids=["git", "plain"])
def test_cached_runs_equal_runs_from_scratch(box: Box, tmp_path: Path, seed: int, in_git: bool) -> None:
    workspace = Workspace(box.folder, seed)
    if in_git:
        box.in_bash("git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x")
    scratch = tmp_path / "scratch"
    hits = 0
    history = []
    for number in range(EDITS // (2 * WORKSPACES)):
        if number:
            workspace.snapshot()
            history.append(workspace.edit())
            if workspace.random.random() < 0.2:
                spoil_store(box.cache, workspace.random)
                history.append("spoil the store")
        result = box.run("run", "--tasks", "build", environment=workspace.environment)
        assert result.returncode == 0, (history, result)
        hits += result.stdout.count(b": cached, saved ")
        expected = workspace.build_from_scratch(scratch)
        assert tree(box.folder) == tree(scratch), history
        assert printed(result.stdout) == expected, history
    assert hits, "nothing was ever cached"
