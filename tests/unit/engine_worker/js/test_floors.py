"""The floors of `js/`: a file requires only files of its own floor or below, and every required file exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

LIBRARY = Path(__file__).parents[4] / "rt_supervisor" / "engine_worker" / "js"
FLOORS = ("internal", "web", "node", "rt", "boot")  # the lowest first

FILES = {str(path.relative_to(LIBRARY).with_suffix("")): path for path in LIBRARY.rglob("*.js")}


def required_files(name: str) -> Iterator[str]:
    """Yield what `name` requires, at load or later; names in tables are not followed."""
    yield from re.findall(r"""require\(['"]([^'"]+)['"]\)""", FILES[name].read_text())


def floor(name: str) -> int:
    return FLOORS.index(name.partition("/")[0])


def test_every_file_is_on_a_floor() -> None:
    assert {name.partition("/")[0] for name in FILES} == set(FLOORS)


def test_required_files_exist() -> None:
    assert [f"{name} requires {other}" for name in FILES for other in required_files(name) if other not in FILES] == []


def test_requires_never_point_upwards() -> None:
    wrong = [
        f"{name} requires {other}" for name in FILES for other in required_files(name) if floor(other) > floor(name)
    ]
    assert wrong == []


def test_the_rule_would_notice() -> None:
    assert "internal/timers" in set(required_files("boot/runtime"))
    assert floor("boot/runtime") > floor("internal/timers")
