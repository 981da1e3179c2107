"""`node --run`: a script of package.json, as Node 26 runs it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from rig import Box, executable

MANIFEST = {
    "scripts": {
        "env": 'echo "$NODE_RUN_SCRIPT_NAME $NODE_RUN_PACKAGE_JSON_PATH $PWD"',
        "arguments": "printf '<%s>'",
        "fails": "exit 7",
        "dies": "kill -TERM $$",
        "local": "tool",
        "preenv": "echo never",
        "number": 1,
    }
}


def outcome(box: Box, node: str, folder: Path, *words: str) -> tuple[bytes, bytes, int]:
    done = subprocess.run([node, *words], cwd=folder, env=box.environment(), capture_output=True, timeout=60)
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize("folder", ["project", "project/deep", "empty", "broken", "without"])
def test_runs_what_node_runs(box: Box, folder: str) -> None:
    box.write(
        {
            "project/package.json": MANIFEST,
            "project/deep/file": "",
            "project/node_modules/.bin/tool": "#!/bin/sh\necho tool\n",
            "empty/package.json": {"scripts": {}},
            "broken/package.json": "{",
            "without/package.json": {"name": "without"},
        }
    )
    (box.folder / "project/node_modules/.bin/tool").chmod(0o755)
    node = box.folder / "node"
    node.symlink_to(executable())
    place = box.folder / folder
    for words in (
        ("--run", "env"),
        ("--run=env",),
        ("--no-warnings", "--run", "env", "--no-deprecation"),
        ("--run", "arguments", "--", "a b", "", "it's", "--flag", "$HOME"),
        ("--run", "arguments", "plain"),
        ("--run", "local"),
        ("--run", "number"),
        ("--run", "missing"),
    ):
        for _ in range(2):  # also with a cached start
            own = outcome(box, str(node), place, *words)
        assert own == outcome(box, peers.node(), place, *words), words


def test_the_status_is_that_of_the_script(box: Box) -> None:
    """Node reports every failure as 1."""
    box.write({"package.json": MANIFEST})
    node = box.folder / "node"
    node.symlink_to(executable())
    assert outcome(box, str(node), box.folder, "--run", "fails") == (b"", b"", 7)
    assert outcome(box, str(node), box.folder, "--run", "dies") == (b"", b"", -15)
