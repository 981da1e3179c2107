"""The shared conformance cases, one test each.

The cases are not part of this project: they lie in `shared/conformance` beside the checkout, or where
RT_TEST_CONFORMANCE says. Which areas are owed, and which cases wait for what, is in `conformance_areas.toml`; a case that
waits is expected to fail, strictly, so that one that begins to pass is noticed. Cases that rt disagrees with are named in
`tests/conformance_disputes.md`.
"""

from __future__ import annotations

import os
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from rig import executable

ROOT = Path(__file__).parents[2]
HERE = Path(os.environ.get("RT_TEST_CONFORMANCE") or ROOT.parent / "shared" / "conformance")
AREAS = tomllib.loads(Path(__file__).with_name("conformance_areas.toml").read_text())
OWED: list[str] = AREAS["owed"]
LATER: dict[str, str] = AREAS["later"]
WAITING: dict[str, str] = {name: reason for reason, names in AREAS["waiting"].items() for name in names}


def runner() -> ModuleType:
    """Load the cases' own runner, which has no `.py` in its name and is not to be written beside."""
    loader = SourceFileLoader("conformance_run", str(HERE / "run"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes
    return module


if not (HERE / "run").is_file():
    pytest.skip(f"no conformance cases at {HERE}; RT_TEST_CONFORMANCE may name their folder", allow_module_level=True)
RUN = runner()
CASES: dict[str, dict[str, Any]] = {f"{area}/{case['name']}": case for area, case in RUN.load(HERE / "cases")}


def parameters() -> list[Any]:
    found = []
    for name in CASES:
        if name.partition("/")[0] in OWED:
            waits = [pytest.mark.xfail(strict=True, reason=WAITING[name])] if name in WAITING else []
            found.append(pytest.param(name, marks=waits, id=name))
    return found


@pytest.mark.parametrize("name", parameters())
def test_case(name: str) -> None:
    case = CASES[name]
    differences = RUN.differences(case, RUN.execute(case, executable()))
    assert not differences, f"{case['run']}\n" + "".join(differences)


def test_the_list_of_areas_is_current() -> None:
    """Every area is owed or waits for something, and every case that is said to wait exists and is owed otherwise."""
    assert {name.partition("/")[0] for name in CASES} == {*OWED, *LATER}
    assert set(OWED).isdisjoint(LATER)
    assert set(WAITING) - set(CASES) == set()
    assert {name.partition("/")[0] for name in WAITING} <= set(OWED)
