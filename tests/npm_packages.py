"""Packages from the npm registry, as anybody installs them: once for all tests of a file, which names them in `VERSIONS`.

Needs npm and its registry, or npm's own cache; without them the tests that want packages are skipped, and say so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from rig import Box


def install(folder: Path, versions: dict[str, str]) -> Path:
    """Install packages below `folder` and return its node_modules; skips the test where that cannot be done."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not on PATH")
    (folder / "package.json").write_text('{"private": true}')
    wanted = [f"{name}@{version}" for name, version in versions.items()]
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", *wanted]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        pytest.skip("the registry did not deliver within ten minutes")
    if done.returncode != 0:
        pytest.skip(f"npm cannot install the packages: {done.stderr.strip().splitlines()[-1:]}")
    return folder / "node_modules"


@pytest.fixture(scope="module")
def packages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The node_modules with what the test's file names in `VERSIONS`."""
    return install(tmp_path_factory.mktemp("packages"), request.module.VERSIONS)


@pytest.fixture
def installed(box: Box, packages: Path) -> Box:
    """A box that has them."""
    os.symlink(packages, box.folder / "node_modules")
    return box
