"""RT.semver compared with npm's semver package (version 7.8.6), including malformed versions and ranges."""

from __future__ import annotations

import json
from pathlib import Path

from rig import Box

PROGRAM = Path(__file__).with_name("npm_semver.mjs")


def test_matches_the_package(box: Box) -> None:
    result = box.run(str(PROGRAM))
    assert result.returncode == 0, result.stderr.decode()
    table = json.loads(PROGRAM.with_suffix(".json").read_text())
    found = json.loads(result.stdout)
    assert found["ranges"] == table["ranges"]
    assert found["satisfied"] == table["satisfied"]
    assert found["order"] == table["order"]
