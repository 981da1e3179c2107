"""Packages from the npm registry, installed once for all tests of a file, which lists them in `VERSIONS`, also where
several processes run these tests.

Needs npm and its registry, or npm's cache; without them, tests that need packages are skipped with the reason.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from rig import Box

COMMAND = ("install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")


def install(folder: Path, versions: dict[str, str]) -> Path:
    """Install packages below `folder` and return its node_modules; skip the test if that fails.

    If `RT_TEST_PACKAGES` names a folder, installations are cached there, one folder for each list of versions.
    """
    target = folder / "node_modules"
    keep = os.environ.get("RT_TEST_PACKAGES")
    if not keep:
        return _installed(folder, versions)
    kept = Path(keep) / _name_of(versions)
    if kept.exists():
        _link(kept, target)
        return target
    _installed(folder, versions)
    Path(keep).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=keep) as draft:
        _link(target, Path(draft) / "whole")
        with contextlib.suppress(OSError):  # another run was faster
            os.rename(Path(draft) / "whole", kept)
    return target


def install_once(shared: Path, versions: dict[str, str]) -> Path:
    """Return a node_modules with `versions` below `shared`, installed by the first process that needs it."""
    folder = shared / _name_of(versions)
    folder.mkdir(exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            install(folder, versions)
            (folder / "done").touch()
    return folder / "node_modules"


def _name_of(versions: dict[str, str]) -> str:
    listed = json.dumps(versions, sort_keys=True)
    return hashlib.sha256(f"{COMMAND} {listed}".encode()).hexdigest()[:20]


def _link(source: Path, target: Path) -> None:
    """Link the files of `source` into `target`, with separate folders, so that files added to `target` stay there."""
    subprocess.run(["cp", "-al", str(source), str(target)], check=True)


def _installed(folder: Path, versions: dict[str, str]) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not on PATH")
    (folder / "package.json").write_text('{"private": true}')
    wanted = [f"{name}@{version}" for name, version in versions.items()]
    try:
        done = subprocess.run([npm, *COMMAND, *wanted], cwd=folder, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        pytest.skip("the registry did not deliver within ten minutes")
    if done.returncode != 0:
        pytest.skip(f"npm cannot install the packages: {done.stderr.strip().splitlines()[-1:]}")
    return folder / "node_modules"


@pytest.fixture(scope="module")
def packages(request: pytest.FixtureRequest, shared: Path) -> Path:
    """Return the node_modules with the packages in the test file's `VERSIONS`."""
    return install_once(shared, request.module.VERSIONS)


@pytest.fixture
def installed(box: Box, packages: Path) -> Box:
    """Return a box with those packages."""
    os.symlink(packages, box.folder / "node_modules")
    return box
