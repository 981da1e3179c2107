"""Packages from npm with native addons, unmodified: a program for each (`tests/specs/addon_packages`) prints the same
under rt and Node 26. Needs npm and Node 26; without them the tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from npm_packages import packages
from rig import Box

PROGRAMS = Path(__file__).parent / "addon_packages"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.cjs"))
PATIENCE_S = 120
__all__ = ["packages"]
VERSIONS = {
    "argon2": "0.45.1",
    "@ast-grep/napi": "0.51.2",
    "better-sqlite3": "13.2.0",
    "bufferutil": "4.1.0",
    "utf-8-validate": "6.0.6",
    "@napi-rs/canvas": "1.1.1",
    "classic-level": "3.0.0",
    "node-datachannel": "0.33.4",
    "dprint-node": "1.0.8",
    "leveldown": "6.1.1",
    "@libsql/client": "0.18.0",
    "lmdb": "3.5.6",
    "msgpackr": "1.12.1",
    "msgpackr-extract": "3.0.7",
    "@node-rs/crc32": "1.10.8",
    "@node-rs/jieba": "2.0.3",
    "@node-rs/bcrypt": "2.0.0",
    "@node-rs/argon2": "2.2.1",
    "oxc-parser": "0.159.0",
    "oxc-resolver": "11.24.2",
    "@resvg/resvg-js": "2.6.2",
    "rolldown": "1.3.2",
    "snappy": "7.4.3",
    "sodium-native": "5.1.0",
    "zeromq": "6.8.0",
}


@pytest.mark.parametrize("name", NAMES)
def test_prints_what_it_prints_under_node(box: Box, packages: Path, name: str) -> None:
    node = peers.node()
    os.symlink(packages, box.folder / "node_modules")
    shutil.copy(PROGRAMS / f"{name}.cjs", box.folder)
    command = [node, f"{name}.cjs"]
    theirs = subprocess.run(command, cwd=box.folder, capture_output=True, text=True, timeout=PATIENCE_S)
    ours = box.run(f"{name}.cjs")
    assert (theirs.returncode, theirs.stderr) == (0, "")
    assert (ours.returncode, ours.stderr.decode()) == (0, "")
    assert ours.stdout.decode() == theirs.stdout != ""
