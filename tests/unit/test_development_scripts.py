"""The development scripts exist, and package.json runs them with rt."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rt_supervisor import __version__

ROOT = Path(__file__).parents[2]
MANIFEST = json.loads((ROOT / "package.json").read_text())


@pytest.mark.parametrize("name", MANIFEST["scripts"])
def test_the_script_is_there(name: str) -> None:
    program = MANIFEST["scripts"][name].split()[0]
    assert program == "cargo" or os.access(ROOT / program, os.X_OK)


def test_those_of_the_specification_are_there() -> None:
    assert {"build", "build:release", "bd", "rust:check", "watch"} <= set(MANIFEST["scripts"])


def test_the_version_is_stated_once() -> None:
    assert MANIFEST["version"] == __version__
    for path in ("pyproject.toml", "native/Cargo.toml"):
        assert f'version = "{__version__}"' in (ROOT / path).read_text()
