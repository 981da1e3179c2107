"""Packages of the npm registry, unmodified, under rt without node on PATH print the same as under Node."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import npm_packages
import npm_programs as cases
import pytest
from rig import Box

COMPATIBILITY = cases.HERE.parents[2] / "docs" / "npm-packages.md"
CASES = cases.all_cases()
IDS = [f"{case.family}/{case.name}" for case in CASES]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder that all processes of this test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


def installed(shared: Path, family: str) -> Path:
    """Return the node_modules of `family`, installed by the first test that needs it."""
    folder = shared / family
    folder.mkdir(exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "package.json").exists() or not (folder / "node_modules").exists():
            npm_packages.install(folder, cases.packages_of(family))
    return folder / "node_modules"


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return cases.path_without_node(tmp_path_factory.mktemp("path") / "bin")


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_prints_what_it_prints_under_node(box: Box, case: cases.Case, path: str, shared: Path) -> None:
    if (case.is_heavy or case.lacks) and os.environ.get("RT_TEST_PROGRAMS") != "all":
        pytest.skip(case.lacks or "heavy: RT_TEST_PROGRAMS=all runs it")
    if "git " in (case.folder / "case.sh").read_text() and shutil.which("git") is None:
        pytest.skip("git is not on PATH")
    node_modules = installed(shared, case.family)
    case.copy_to(box.folder, node_modules)
    done = box.run("--silent", "run", "case", environment=cases.environment(box.folder, path))
    said = cases.comparable(done.stdout + done.stderr, box.folder, node_modules)
    said += f"[status {done.returncode}]\n"
    if case.lacks:
        assert said != case.expected_file.read_text(), f'it works now: take "lacks" out of {case.folder}/package.json'
    else:
        assert said == case.expected_file.read_text()
    box.await_nothing_left()


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_is_in_the_table_of_programs(case: cases.Case) -> None:
    assert case.row in COMPATIBILITY.read_text()
