"""RT.semver against what npm's own package says (version 7.8.6), malformed versions and ranges included."""

from __future__ import annotations

import json
from pathlib import Path

from rig import Box

PROGRAM = Path(__file__).with_name("npm_semver.mjs")


def test_says_what_the_package_says(box: Box) -> None:
    result = box.run(str(PROGRAM))
    assert result.returncode == 0, result.stderr.decode()
    table = json.loads(PROGRAM.with_suffix(".json").read_text())
    found = json.loads(result.stdout)
    assert found["ranges"] == table["ranges"]
    assert found["satisfied"] == table["satisfied"]
    assert found["order"] == table["order"]
