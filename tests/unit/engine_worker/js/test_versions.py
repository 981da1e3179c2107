"""process.versions matches the libraries that are built in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rig import Box

import rt_supervisor

ROOT = Path(__file__).parents[4]
SOURCE = (ROOT / "rt_supervisor/engine_worker/js/node/process/versions.js").read_text()


def process_version(name: str) -> str:
    found = re.search(rf"^  {name}: '([^']*)'", SOURCE, re.MULTILINE)
    assert found, name
    return found.group(1)


def test_libraries_of_the_native_modules() -> None:
    lock = (ROOT / "Cargo.lock").read_text()
    built = dict(re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"', lock))
    assert built["openssl-src"].endswith(f"+{process_version('openssl')}")
    assert built["zstd-sys"].endswith(f"zstd.{process_version('zstd')}")


def test_data_of_the_engine() -> None:
    mini_racer = pytest.importorskip("py_mini_racer")
    data = (Path(mini_racer.__file__).parent / "icudtl.dat").read_bytes()
    assert f"icudt{process_version('icu').split('.')[0]}".encode() in data
    assert process_version("tz").encode("utf-16-le") in data


def test_process_versions_match_the_libraries(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                'use strict';
                const { DatabaseSync } = require('node:sqlite');
                const { v } = new DatabaseSync(':memory:').prepare('select sqlite_version() v').get();
                console.log(process.versions.sqlite === v, process.versions.uv, process.config.variables.v8_enable_i18n_support);
                try { process.config.variables = 1; } catch (error) { console.log(error.name); }
                try { process.config.variables.node_shared = 1; } catch (error) { console.log(error.name); }
                console.log(process instanceof process.constructor, process.getgroups().includes(process.getegid()));
            """
        }
    )
    lines = box.run("a.cjs").stdout.decode().splitlines()
    assert lines == ["true undefined 1", "TypeError", "TypeError", "true true"]


def test_versions_satisfy_the_checks_of_packages(box: Box) -> None:
    """Packages reject old versions of Node and Bun: rt reports the versions it follows, and its own."""
    box.write({"a.cjs": "const { node, bun, rt } = process.versions; console.log(node, bun, rt)"})
    known = f"{rt_supervisor.NODE_VERSION} {rt_supervisor.PEER_VERSION} {rt_supervisor.__version__}\n"
    assert box.run("a.cjs").stdout.decode() == known
