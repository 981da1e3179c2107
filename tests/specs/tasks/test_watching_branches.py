"""Branches are switched while the tasks of a watched run go on: it ends with the tree of a build of the last branch.

`RT_TEST_WATCHED_BRANCHES` sets the number of rounds for each workspace, `RT_TEST_SEED` the first workspace.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from random_workspaces import tree
from rig import Box, wait_until

ROUNDS = int(os.environ.get("RT_TEST_WATCHED_BRANCHES", "4"))
SEED = int(os.environ.get("RT_TEST_SEED", "1"))
PACKAGES = 15
BRANCHES = "abc"
SETTINGS = {
    "declared": 'outputs = ["dist/**"]',
    "traced": 'inputs = [{ auto = true }]\noutputs = ["dist/**"]',
}


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True, capture_output=True
    )


class Branches:
    """A repository at `root` whose branches have other packages, dependencies and sources."""

    def __init__(self, root: Path, seed: int, settings: str) -> None:
        self.root = root
        git(root, "init", "-q", "-b", BRANCHES[0], ".")
        self.write("package.json", '{"name": "root", "workspaces": ["packages/*"]}')
        self.write(".gitignore", "dist\n")
        self.write("rtfig.toml", f'[tasks.build]\ndependsOn = ["^build"]\n{settings}\n')
        for branch in BRANCHES:
            git(root, "checkout", "-q", "-B", branch)
            self.fill(branch, random.Random(f"{seed} {branch}"))
            git(root, "add", "-A")
            git(root, "commit", "-qm", branch)

    def write(self, path: str, text: str) -> None:
        at = self.root / path
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)

    def fill(self, branch: str, source: random.Random) -> None:
        shutil.rmtree(self.root / "packages", ignore_errors=True)
        names = [f"p{number}" for number in range(PACKAGES) if source.random() < 0.9]
        for at, name in enumerate(names):
            needed = sorted(source.sample(names[:at], min(at, source.randint(0, 2))))
            for number in range(source.randint(1, 4)):
                self.write(f"packages/{name}/src/f{number}", f"{name} {number} {source.choice(['', branch])}\n")
            script = "mkdir -p dist && cat src/* > dist/all"
            script += "".join(f" && cat ../{other}/dist/all > dist/{other}" for other in needed)
            manifest = {"name": name, "dependencies": dict.fromkeys(needed, "*"), "scripts": {"build": script}}
            self.write(f"packages/{name}/package.json", json.dumps(manifest))

    def switch(self, branch: str) -> None:
        git(self.root, "checkout", "-q", branch)

    def tree(self) -> dict[str, str]:
        """Return what is there, without what was built of packages that the branch does not have."""
        present = {path.parent.name for path in self.root.glob("packages/*/package.json")}
        return {
            path: content
            for path, content in tree(self.root).items()
            if not path.startswith("packages/") or path.split("/")[1] in present
        }


@pytest.mark.parametrize("seed", range(SEED, SEED + 2))
@pytest.mark.parametrize("kind", SETTINGS)
def test_switching_branches(box: Box, tmp_path: Path, seed: int, kind: str) -> None:
    repository = Branches(box.folder, seed, SETTINGS[kind])
    expected = {}
    for branch in BRANCHES:
        clone = tmp_path / branch
        git(tmp_path, "clone", "-q", "-b", branch, str(box.folder), str(clone))
        assert box.run("run", "--no-tasks", "--workspaces", "build", cwd=clone).returncode == 0
        shutil.rmtree(clone / ".git")
        expected[branch] = tree(clone)
    process = box.start("run", "--watch", "--tasks", "build")
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        threading.Thread(target=stream.read, daemon=True).start()
    source = random.Random(seed)
    history = []
    for _ in range(ROUNDS):
        for _ in range(source.randint(1, 4)):
            history.append(source.choice(BRANCHES))
            repository.switch(history[-1])
            time.sleep(source.choice([0, 0, 0.02, 0.1, 0.3]))  # any moment of the run may be the right one
        wait_until(
            lambda: repository.tree() == expected[history[-1]], f"the tree is that of the last branch of {history}"
        )
    process.send_signal(signal.SIGINT)
    process.wait()
    box.await_nothing_left()
