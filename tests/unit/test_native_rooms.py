"""The layers of `native/src`: a room uses the rooms of the rows below its own, so no circle between rooms exists.

The same holds for the rooms inside `native/src/v8`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).parents[2] / "native" / "src"


class House(NamedTuple):
    """A folder of rooms, the path that Rust names it by, and its rows from the highest to the lowest."""

    folder: Path
    path: str
    rows: tuple[tuple[str, ...], ...]

    def rooms(self) -> set[str]:
        """Return the names of the folders in the house."""
        return {path.name for path in self.folder.iterdir() if path.is_dir()}

    def row_of(self) -> dict[str, int]:
        """Return the number of each room's row."""
        return {room: number for number, rooms in enumerate(self.rows) for room in rooms}


CRATE = House(
    SOURCES,
    "crate",
    (
        ("host",),  # the table of host functions
        ("program",),
        ("modules", "inspecting"),
        ("resolve",),  # the rules of a tsconfig are the transformer's options
        ("children",),
        ("addons", "http", "repl", "system"),
        ("crypto", "fs", "net", "sqlite", "zlib"),
        ("event_loop",),
        ("v8",),
        ("html", "rt_global", "transform", "workspace"),
        ("emulator", "files", "processes"),
        ("interpreter",),
    ),
)
BINDING = House(
    SOURCES / "v8",
    "crate::v8",
    (
        ("inspector",),
        ("engine",),
        ("clone", "heap", "natives", "start", "vm"),
        ("modules",),
        ("values",),
        ("api",),
    ),
)


def without_comments(path: Path) -> str:
    """Return the text of a Rust file without line comments."""
    return re.sub(r"//.*", "", path.read_text())


def used_rooms(house: House, text: str) -> Iterator[str]:
    """Yield the rooms of `house` that Rust code names by their whole path, in a group of imports too."""
    for names in re.findall(rf"\b{house.path}::(\w+|\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}})", text):
        top_level = re.sub(r"\{([^{}]*)\}", "", names[1:-1]) if names.startswith("{") else names
        yield from (name for name in re.findall(r"(?<!:)\b\w+", top_level) if name in house.rooms())


def violations(house: House) -> list[str]:
    """Return each use of a room that is not below the room that uses it."""
    rows = house.row_of()
    return [
        f"{path.relative_to(house.folder)} uses {other}"
        for room in sorted(house.rooms())
        for path in sorted((house.folder / room).rglob("*.rs"))
        for other in sorted(set(used_rooms(house, without_comments(path))) - {room})
        if rows[other] <= rows[room]
    ]


def test_every_room_has_a_row() -> None:
    for house in (CRATE, BINDING):
        assert set(house.row_of()) == house.rooms(), "each folder is in one row above, and each row names folders"
    assert [path.name for path in SOURCES.glob("*.rs")] == ["lib.rs"]
    assert [path.name for path in (SOURCES / "v8").glob("*.rs")] == ["mod.rs"]


def test_rooms_use_only_the_rows_below() -> None:
    assert violations(CRATE) == []


def test_rooms_of_the_binding_use_only_the_rows_below() -> None:
    assert violations(BINDING) == []


def test_no_room_uses_the_root_of_its_house() -> None:
    # What `lib.rs` and `v8/mod.rs` export is for what stands above them.
    items = re.compile(r"\bcrate::v8::(?:[A-Z]|\{)")
    in_binding = [path for path in (SOURCES / "v8").rglob("*.rs") if items.search(without_comments(path))]
    assert in_binding == []


def test_neighbours_are_named_by_whole_paths() -> None:
    # `super::super::` would hide a use from the rule above; only a room's own `mod.rs` may use `super::ROOM`.
    climbing = []
    for house in (CRATE, BINDING):
        for room in house.rooms():
            for path in (house.folder / room).glob("*.rs"):
                pattern = r"\bsuper::(\w+)" if path.name == "mod.rs" else r"\bsuper::super::(\w+)"
                names = re.findall(pattern, without_comments(path))
                climbing += [f"{path.relative_to(SOURCES)}: {name}" for name in names if name in house.rooms()]
    assert climbing == []


def test_the_rules_notice_a_use() -> None:
    assert "transform" in set(used_rooms(CRATE, without_comments(SOURCES / "resolve" / "tsconfig.rs")))
    assert set(used_rooms(CRATE, "use crate::{fs::net, v8::{self, http}};")) == {"fs", "v8"}
    assert set(used_rooms(BINDING, "use crate::v8::values::scope;")) == {"values"}
