"""Random edits of a watched workspace: it ends with the tree of a build from scratch, and stores no wrong result.

`RT_TEST_WATCHED_EDITS` sets the number of batches for each workspace, `RT_TEST_SEED` the first workspace.
"""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from random_workspaces import Workspace, tree
from rig import Box, wait_until

BATCHES = int(os.environ.get("RT_TEST_WATCHED_EDITS", "5"))
SEED = int(os.environ.get("RT_TEST_SEED", "1"))


@pytest.mark.parametrize("seed", range(SEED, SEED + 4))
@pytest.mark.parametrize("in_git", [True, False], ids=["git", "plain"])
def test_edits_of_a_watched_workspace(box: Box, tmp_path: Path, seed: int, in_git: bool) -> None:
    """Edits come while the tasks of earlier ones run."""
    workspace = Workspace(box.folder, seed)
    if in_git:
        box.in_bash("git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x")
    if seed % 2:  # with traced outputs, what a task leaves that is ended would stay
        form = 'inputs = [{ auto = true }]\noutputs = ["dist/**"]'
        workspace.write("rtfig.toml", f'[tasks.build]\ndependsOn = ["^build"]\nenv = ["MODE"]\n{form}\n')
    scratch = tmp_path / "scratch"
    environment = workspace.environment
    process = box.start("run", "--watch", "--tasks", "build", environment=environment)
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        threading.Thread(target=stream.read, daemon=True).start()
    history = []
    for number in range(BATCHES + 1):
        if number:
            workspace.snapshot()
            edits = [
                workspace.change, workspace.change, workspace.add, workspace.remove, workspace.rename,
                workspace.change_script, workspace.change_order, workspace.undo,
            ]  # fmt: skip
            for _ in range(workspace.random.randint(1, 3)):
                history.append(workspace.random.choice(edits)())
        expected = workspace.build_from_scratch(scratch)
        assert expected
        wait_until(lambda: tree(box.folder) == tree(scratch), f"the tree is up to date after {history}")
    process.send_signal(signal.SIGINT)
    process.wait()
    box.await_nothing_left()
    result = box.run("run", "--tasks", "build", environment=environment)
    assert result.returncode == 0
    assert tree(box.folder) == tree(scratch), history
    box.in_bash("rm -rf packages/*/dist")
    result = box.run("run", "--tasks", "build", environment=environment)
    assert tree(box.folder) == tree(scratch), history
    assert result.stdout.count(b": cached, saved ") == len(workspace.names)
