"""npm packages that rt is tested with: a folder each, `FAMILY/PROGRAM`, self-contained except for shared files.

`package.json` lists what to install (the cases of a family are installed together, so their versions agree) and what
is tested; `shares` names files of the family's folder that belong to the project as well. `case.sh` is the script to
run; `expected.txt` is Node's output, written by `record.py`. A case with `"heavy": true`, or one that does not work
yet (`"lacks"` gives the reason), runs only with `RT_TEST_PROGRAMS=all`.
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
    """One program: `name` is its folder's name, `packages` are its dependencies."""

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
        """Return the case's row of the table in docs/npm-packages.md."""
        versions = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        return f"| {self.name} | {versions} | {self.description} | {self.lacks or 'works'} |"

    def copy_to(self, folder: Path, node_modules: Path) -> None:
        """Create the project in `folder`, with the family's packages."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("expected.txt"))
        for name in self.shares:
            shutil.copy(self.folder.parent / name, folder)
        os.symlink(node_modules, folder / "node_modules")


def all_cases() -> list[Case]:
    return [Case(file.parent) for file in sorted(HERE.glob("*/*/package.json"))]


def packages_of(family: str) -> dict[str, str]:
    """Return the packages to install for all cases of `family`."""
    found: dict[str, str] = {}
    for case in all_cases():
        if case.family == family:
            for name, version in case.packages.items():
                assert found.setdefault(name, version) == version, f"{family} has two versions of {name}"
    return found


def path_without_node(folder: Path) -> str:
    """Make `folder` a PATH with all commands of this machine except those that run JavaScript."""
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
    """Return `output` without the parts that differ between runs: paths, and the name of the runtime."""
    text = (
        output.decode(errors="replace")
        .replace("\r", "")
        .replace(str(node_modules), "<DIR>/node_modules")
        .replace(str(folder), "<DIR>")
    )
    return _FLAGS.sub("`node --trace", _PROCESS.sub("(node:PID)", text))
