"""Packages of the npm registry, unmodified, under rt without node on PATH print the same as under Node."""

from __future__ import annotations

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
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return cases.path_without_node(tmp_path_factory.mktemp("path") / "bin")


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_prints_what_it_prints_under_node(box: Box, case: cases.Case, path: str, shared: Path) -> None:
    if (case.is_heavy or case.lacks) and os.environ.get("RT_TEST_PROGRAMS") != "all":
        pytest.skip(case.lacks or "heavy: RT_TEST_PROGRAMS=all runs it")
    if "git " in (case.folder / "case.sh").read_text() and shutil.which("git") is None:
        pytest.skip("git is not on PATH")
    node_modules = npm_packages.install_once(shared, cases.packages_of(case.family))
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
