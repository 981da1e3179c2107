"""Compiles small native addons, from `tests/specs/addons` or from source text, against npm's node-api-headers into a
test's box.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import npm_packages
import pytest
from rig import Box

SOURCES = Path(__file__).parent / "specs" / "addons"
PLAIN = """
#include "probe.h"
FUNCTION(three) { return number(env, 3); }
NAPI_MODULE_INIT() { PUT(three); return exports; }
"""


@pytest.fixture(scope="session")
def headers(shared: Path) -> Path:
    installed = npm_packages.install_once(shared, {"node-api-headers": "1.9.0"})
    return installed / "node-api-headers" / "include"


@pytest.fixture
def build(box: Box, headers: Path) -> Box:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc on PATH)")
    for program in SOURCES.glob("*.cjs"):
        shutil.copy(program, box.folder)
    shutil.copy(SOURCES / "probe.h", box.folder)
    (box.folder / "build").write_text(f"{compiler}\n{headers}")
    return box


def compiled(box: Box, name: str, source: str | None = None, *flags: str) -> Path:
    compiler, headers = (box.folder / "build").read_text().split("\n")
    text = SOURCES / f"{name}.c"
    if (SOURCES / f"{name}.cc").exists():
        text = SOURCES / f"{name}.cc"
        compiler = shutil.which("c++") or pytest.skip("no C++ compiler (c++ on PATH)")
    if source is not None:
        text = box.folder / f"{name}.c"
        text.write_text(source)
    addon = box.folder / f"{name}.node"
    command = [compiler, "-shared", "-fPIC", "-pthread", "-Wall", "-Werror", f"-I{headers}", f"-I{SOURCES}"]
    subprocess.run([*command, *flags, "-o", str(addon), str(text)], check=True)
    return addon
