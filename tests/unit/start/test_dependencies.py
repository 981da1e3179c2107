"""Code that decides about a run records every access to the disk: an unrecorded one would make cached starts stale."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "rt_supervisor"
DECIDING = (
    "cli/run/foreground.py",
    "cli/run/multi_run.py",
    "cli/request.py",
    "settings/config.py",
    "settings/env_files.py",
    "settings/environment.py",
    "settings/shell_choice.py",
    "settings/target.py",
    "workspace/manifest.py",
    "plan/one_package.py",
    "plan/script_names.py",
    "plan/script_text.py",
)
LOOKS = {
    "stat",
    "lstat",
    "access",
    "open",
    "isfile",
    "isdir",
    "exists",
    "lexists",
    "islink",
    "realpath",
    "listdir",
    "scandir",
}
# After a recorded access to the same path.
AGAIN = {("settings/environment.py", "os.access(path, os.X_OK)"), ("workspace/manifest.py", "read_manifests(paths)")}


def looks(text: str) -> list[str]:
    """Return the calls that access the disk without recording it."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in LOOKS and not ast.unparse(node.args[0]).startswith("depend_on("):
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("name", DECIDING)
def test_every_disk_access_is_recorded(name: str) -> None:
    assert [call for call in looks((PACKAGE / name).read_text()) if (name, call) not in AGAIN] == []


def test_the_rule_would_notice() -> None:
    assert looks("import os\nos.path.isfile(path)\nos.stat(depend_on(path))\nopen(path)") == [
        "os.path.isfile(path)",
        "open(path)",
    ]
