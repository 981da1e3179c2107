"""The rooms of `native/src`: a room uses only its own row of the table here and those below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "native" / "src"
# The highest first. Rooms of one row do not use each other.
ROWS = (
    ("program",),
    ("modules", "inspecting"),
    ("resolve",),  # the rules of a tsconfig are the transformer's options
    (
        "transform",
        "workspace",
        "rt_global",
        "v8",
        "event_loop",
        "fs",
        "html",
        "http",
        "sqlite",
        "zlib",
        "addons",
        "children",
        "crypto",
        "net",
        "system",
    ),
    ("files", "interpreter", "processes"),
)
ROW_OF = {room: number for number, rooms in enumerate(ROWS) for room in rooms}
ROOMS = {path.name for path in SOURCES.iterdir() if path.is_dir()}
# The rooms that host JavaScript: they use V8's binding, and V8 calls into them.
ON_V8 = {"event_loop", "fs", "http", "sqlite", "zlib", "addons", "children", "crypto", "net", "system"}


def uses(path: Path) -> Iterator[str]:
    """Yield the rooms that a file names."""
    text = re.sub(r"//.*", "", path.read_text())
    for names in re.findall(r"\bcrate::(\w+|\{[^}]*\})", text):
        yield from (name for name in re.findall(r"\w+", names) if name in ROOMS)


def test_every_room_has_a_row() -> None:
    assert set(ROW_OF) >= ROOMS, "give it a row above"
    assert [path.name for path in SOURCES.glob("*.rs")] == ["lib.rs"]


def test_no_room_uses_what_is_above() -> None:
    wrong = []
    for room in ROOMS:
        for path in (SOURCES / room).rglob("*.rs"):
            for other in set(uses(path)) - {room}:
                is_machine = {room, other} <= ON_V8 | {"v8"}
                if ROW_OF[other] <= ROW_OF[room] and not is_machine:
                    wrong.append(f"{path.relative_to(SOURCES)} uses {other}")
    assert wrong == []


def test_the_rule_would_notice() -> None:
    assert "transform" in set(uses(SOURCES / "resolve" / "tsconfig.rs"))
