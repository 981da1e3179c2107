"""npm under rt: `rt npm-cli.js install` of a workspace creates the same tree as node, file by file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import js_peers
import pytest
from rig import Box, executable

MANIFESTS = {
    "package.json": {
        "name": "root",
        "version": "1.0.0",
        "workspaces": ["packages/*"],
        "dependencies": {"is-odd": "3.0.1", "semver": "7.7.3", "mkdirp": "3.0.1"},
        "optionalDependencies": {"fsevents": "2.3.3"},
        "devDependencies": {"rimraf": "5.0.10"},
        "scripts": {"postinstall": "echo done > post.txt"},
    },
    "packages/a/package.json": {
        "name": "a",
        "version": "1.0.0",
        "dependencies": {"b": "1.0.0", "semver": "5.7.2"},
        "bin": "run.js",
    },
    "packages/b/package.json": {"name": "b", "version": "1.0.0"},
}


def tree(folder: Path) -> dict[str, str]:
    """Return path -> the target of a link, or the permissions and contents of a file."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"
        elif path.is_file():
            found[name] = f"{path.stat().st_mode & 0o777:o} {path.read_text(errors='replace')}"
        else:
            found[name] = "folder"
    return found


def install_tree(box: Box, program: str) -> dict[str, str]:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not on PATH")
    folder = box.folder / Path(program).name
    for name, manifest in MANIFESTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(manifest))
    (folder / "packages/a/run.js").write_text("#!/usr/bin/env node\n")
    command = [program, os.path.realpath(npm), "install", "--no-audit", "--no-fund", "--prefer-offline"]
    cache = subprocess.run([npm, "config", "get", "cache"], capture_output=True, text=True, check=True).stdout.strip()
    environment = {**box.environment(), "npm_config_cache": cache, "npm_config_update_notifier": "false"}
    for name in ("npm_config_registry", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    if program == executable():
        probe = subprocess.run([npm, "ping"], capture_output=True, stdin=subprocess.DEVNULL, timeout=600)
        if probe.returncode != 0:
            pytest.skip("npm's registry does not answer")
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return tree(folder)


def test_an_install_makes_the_tree_that_node_makes(box: Box) -> None:
    ours, theirs = install_tree(box, executable()), install_tree(box, js_peers.node())
    assert ours.keys() == theirs.keys()
    assert {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]} == {}
    assert ours["post.txt"] == "644 done\n"
    assert ours["node_modules/.bin/a"] == "-> ../a/run.js"
    assert "node_modules/semver/package.json" in ours
    assert "packages/a/node_modules/semver/package.json" in ours
    assert "node_modules/fsevents" not in ours
