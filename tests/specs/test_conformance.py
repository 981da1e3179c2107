"""The shared conformance cases, one test each.

The cases are not part of this project: they are in `shared/conformance` beside the checkout, or where
RT_TEST_CONFORMANCE says. `conformance_areas.toml` lists the areas to run and the cases that are not implemented;
these are expected to fail, strictly, so that one that begins to pass is noticed. `tests/conformance_disputes.md`
lists the cases that rt disagrees with.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from rig import V8Files, executable

ROOT = Path(__file__).parents[2]
HERE = Path(os.environ.get("RT_TEST_CONFORMANCE") or ROOT.parent / "shared" / "conformance")
AREAS = tomllib.loads(Path(__file__).with_name("conformance_areas.toml").read_text())
RUN_AREAS: list[str] = AREAS["run"]
LATER: dict[str, str] = AREAS["later"]
WAITING: dict[str, str] = {name: reason for reason, names in AREAS["waiting"].items() for name in names}


def runner() -> ModuleType:
    """Load the cases' runner, which has no `.py` suffix and must not leave bytecode beside it."""
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
        if name.partition("/")[0] in RUN_AREAS:
            waits = [pytest.mark.xfail(strict=True, reason=WAITING[name])] if name in WAITING else []
            found.append(pytest.param(name, marks=waits, id=name))
    return found


@pytest.mark.parametrize("name", parameters())
def test_case(name: str, tmp_path: Path, v8_files: V8Files) -> None:
    case = CASES[name]
    v8_files.put(tmp_path)
    prepared = {**case, "env": {"XDG_CACHE_HOME": str(tmp_path), **case.get("env", {})}}
    differences = RUN.differences(case, RUN.execute(prepared, executable()))
    assert not differences, f"{case['run']}\n" + "".join(differences)


# Cases that change their folder or arguments, so that a second run differs.
ONCE = {
    "modules/extension-order-import",
    "modules/extension-order-require",
    "multi/same-script-twice",
    "scripts/builtin-name-wins-without-run",
    "scripts/exit-by-sigkill",  # the shell that runs the case is what ends
    "scripts/exit-by-sigterm",
    "scripts/extension-order-of-entry",
    "scripts/list-nothing-to-list",
    "scripts/shell-sh-then-zsh-without-bash",
    "scripts/sigint-reaches-script",
    "scripts/sigterm-reaches-script",
}
AGAIN = os.environ.get("RT_TEST_AGAIN", "errors process").split()
BEFORE_IT_IS_KEPT = 2


def again() -> list[str]:
    """Return the cases to run with cached starts; all areas with RT_TEST_AGAIN=all."""
    named = [name for name in CASES if AGAIN == ["all"] or name.partition("/")[0] in AGAIN]
    return [name for name in named if name not in {*ONCE, *WAITING}]


@pytest.mark.parametrize("name", again())
def test_case_again(name: str, home: Path) -> None:
    """With the launcher's cached starts, a case has the same result as without."""
    case = CASES[name]
    text = str(case["run"])
    # A case that waits for a file of its job must not find that of an earlier run: the shell may look before the job has begun.
    has_job = re.search(r"[^&]&\s", text) is not None
    forget = 'find . -depth | grep -vxF "$files" | while read -r made; do rm -rf "$made"; done\n' if has_job else ""
    first = f"( {text}\n) >/dev/null 2>&1 </dev/null\n{forget}sleep 0.05\n" * BEFORE_IT_IS_KEPT
    kept = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), **case.get("env", {})}
    # starts that read just-written files are not cached
    repeated = {
        **case,
        "run": f"files=$(find .)\nsleep 0.05\n{first}{text}",
        "env": kept,
        "timeout": 3 * case.get("timeout", 20),
    }
    differences = RUN.differences(case, RUN.execute(repeated, executable()))
    assert not differences, f"{text}\n" + "".join(differences)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create one home for all cases: images are stored by home."""
    return tmp_path_factory.mktemp("home")


def test_the_list_of_areas_is_current() -> None:
    """Every area is run or listed as waiting, and every waiting case exists in an area that is run."""
    assert {name.partition("/")[0] for name in CASES} == {*RUN_AREAS, *LATER}
    assert set(RUN_AREAS).isdisjoint(LATER)
    assert {*WAITING, *ONCE} - set(CASES) == set()
    assert {name.partition("/")[0] for name in WAITING} <= set(RUN_AREAS)
