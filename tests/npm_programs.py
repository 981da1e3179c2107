"""The programs of the npm registry that rt is tried with: a folder each, `FAMILY/PROGRAM`, readable alone but for what it shares.

`package.json` says what is installed (the versions of one family agree: they are installed together), what is tried, and in `shares`
which files that lie in the family's folder the project has, too. `case.sh` is what is run; `expected.txt` is what Node printed,
written by `record.py`. A case with `"heavy": true`, or one that does not work yet (`"lacks"` says why), is run with
`RT_TEST_PROGRAMS=all` only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "specs" / "programs"
NOT_ON_PATH = {
    "node",
    "nodejs",
    "npm",
    "npx",
    "corepack",
    "pnpm",
    "pnpx",
    "yarn",
    "yarnpkg",
    "bun",
    "bunx",
    "deno",
    "rt",
}
_PROCESS = re.compile(r"\((?:rt|node):\d+\)")
_FLAGS = re.compile(r"`(?:rt|node\S*) --trace")


class Case:
    """One program: `name` is its folder's, `packages` what it needs."""

    def __init__(self, folder: Path) -> None:
        manifest: dict[str, Any] = json.loads((folder / "package.json").read_text())
        self.folder = folder
        self.family, self.name = folder.parent.name, folder.name
        self.description: str = manifest["description"]
        self.packages: dict[str, str] = manifest["devDependencies"]
        self.is_heavy: bool = manifest.get("heavy", False)
        self.lacks: str = manifest.get("lacks", "")
        self.shares: list[str] = manifest.get("shares", [])
        self.expected_file = folder / "expected.txt"

    @property
    def row(self) -> str:
        """The row of the table in docs/npm-packages.md."""
        versions = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        return f"| {self.name} | {versions} | {self.description} | {self.lacks or 'works'} |"

    def copy_to(self, folder: Path, node_modules: Path) -> None:
        """Make the project in `folder`, with the family's packages."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("expected.txt"))
        for name in self.shares:
            shutil.copy(self.folder.parent / name, folder)
        os.symlink(node_modules, folder / "node_modules")


def all_cases() -> list[Case]:
    return [Case(file.parent) for file in sorted(HERE.glob("*/*/package.json"))]


def packages_of(family: str) -> dict[str, str]:
    """Return what one installation for all cases of `family` holds."""
    found: dict[str, str] = {}
    for case in all_cases():
        if case.family == family:
            for name, version in case.packages.items():
                assert found.setdefault(name, version) == version, f"{family} has two versions of {name}"
    return found


def path_without_node(folder: Path) -> str:
    """Make `folder` a PATH with all commands of this machine but those that run JavaScript."""
    folder.mkdir()
    for entry in os.environ["PATH"].split(os.pathsep):
        if not os.path.isdir(entry):
            continue
        for name in os.listdir(entry):
            if name not in NOT_ON_PATH and not os.path.lexists(folder / name):
                os.symlink(os.path.join(os.path.abspath(entry), name), folder / name)
    return str(folder)


def environment(folder: Path, path: str) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "PATH": path,
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "TZ": "UTC",
        "CI": "1",
    }


def comparable(output: bytes, folder: Path, node_modules: Path) -> str:
    """`output` without what differs between two runs: places, and who is running."""
    text = (
        output.decode(errors="replace")
        .replace("\r", "")
        .replace(str(node_modules), "<DIR>/node_modules")
        .replace(str(folder), "<DIR>")
    )
    return _FLAGS.sub("`node --trace", _PROCESS.sub("(node:PID)", text))
