"""The sources of a program as people wrote them: lines for previews, positions mapped back through source maps.

A place in running code goes through the transpiler's map to the file, and from a file that was compiled before it was
shipped through the map its `sourceMappingURL` names to the author's source. Maps are made and read when the first place
of a file is asked for, never before; one that cannot be read, or says nothing of a place, is as none. A map may name any
file of the machine: lines are shown of what it brings itself, and of files of the project it belongs to.
"""

from __future__ import annotations

import os

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_READ = 16 << 20


class Sources:
    """What was loaded, by the name that stack frames give it."""

    def __init__(self) -> None:
        self.texts = _native.LoadedTexts()
        self._maps: dict[str, _native.SourceMap | None] = {}
        self._shipped: dict[str, _native.SourceMap | None] = {}
        self._authored: dict[str, _native.SourceMap] = {}  # an author's source -> the map that led there
        self._carriers: dict[str, str] = {}  # an author's source -> the file whose map led there
        self._split: tuple[str, list[str]] = "", []  # the last source that lines were asked of; programs print in loops

    def add(self, name: str, transformed: _native.Transformed, *, shifted_by: int = 0) -> None:
        """Remember a script; `shifted_by` columns were put before its first line."""
        self.texts.add(name, transformed, shifted_by)
        self._maps.pop(name, None)
        self._shipped.pop(name, None)
        self._split = "", []

    def map_position(self, name: str, line: int, column: int) -> list[Any]:
        """Return [line, column, file] of the source for a position in the running code, lines and columns from 1.

        `file` is None where it is `name` itself, else the source that `name` was compiled from before it was shipped.
        """
        line, column = self._in_file(name, line, column)
        shipped = self._shipped_map(name)
        found = shipped.lookup(line, column) if shipped is not None else None
        if shipped is None or found is None:
            return [line, column, None]
        self._authored.setdefault(found[0], shipped)
        self._carriers.setdefault(found[0], name)
        return [found[1], found[2], found[0]]

    def map_name(self, name: str, line: int, column: int, function: str) -> str | None:
        """Return what its author called `function`, which starts at a position in the running code."""
        shipped = self._shipped_map(name)
        return None if shipped is None else shipped.function_name(*self._in_file(name, line, column), function)

    def compiled(self, name: str) -> list[Any]:
        """Return what runs for `name`: columns that were put before it, its code, its map, and whether the map is rt's own."""
        transformed = self.texts.get(name)
        if transformed is None:
            return [0, "", None, False]
        source_map = transformed.map() if transformed.changed else self._shipped_map(name)
        text = None if source_map is None else source_map.to_json().decode()
        return [self.texts.columns(name), transformed.code, text, transformed.changed]

    def lines(self, name: str, first: int, last: int) -> list[str] | None:
        """Return source lines `first` to `last` (from 1, inclusive) of `name`, fewer at its end; None when unknown."""
        if self._split[0] != name:
            text = self._loaded_text(name)
            if text is None:
                carrier = self._carriers.get(name)
                if carrier is not None and self.texts.get(name) is None and not _is_in_project_of(carrier, name):
                    return None
                text = _read(name)  # it may change
                return None if text is None else _lines(text)[max(0, first - 1) : last]
            self._split = name, _lines(text)
        return self._split[1][max(0, first - 1) : last]

    def _loaded_text(self, name: str) -> str | None:
        authored = self._authored.get(name)
        text = authored.source_content(name) if authored is not None else None
        if text is not None:
            return text
        transformed = self.texts.get(name)
        return None if transformed is None else transformed.source

    def _in_file(self, name: str, line: int, column: int) -> tuple[int, int]:
        """Return the position in the file that was loaded."""
        transformed = self.texts.get(name)
        if transformed is None:
            return line, column
        if line == 1:
            column = max(1, column - self.texts.columns(name))
        if name not in self._maps:
            self._maps[name] = transformed.map()
        source_map = self._maps[name]
        found = source_map.lookup(line, column) if source_map is not None else None
        return (line, column) if found is None else (found[1], found[2])

    def _shipped_map(self, name: str) -> _native.SourceMap | None:
        if name not in self._shipped:
            transformed = self.texts.get(name)
            if transformed is None:
                return None
            self._shipped[name] = transformed.shipped_map()
        return self._shipped[name]


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [line.rstrip("\r") for line in lines] if "\r" in text else lines


def _is_in_project_of(carrier: str, source: str) -> bool:
    """Whether `source` lies in the outermost folder with a package.json around `carrier`; without one, in its own."""
    folder = project = os.path.dirname(os.path.realpath(carrier))
    while folder != os.path.dirname(folder):
        if os.path.exists(os.path.join(folder, "package.json")):
            project = folder
        folder = os.path.dirname(folder)
    return os.path.realpath(source).startswith(os.path.join(project, ""))


def _read(path: str) -> str | None:
    import stat

    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None  # a pipe, say, that would never end
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read(MOST_READ)
    except (OSError, ValueError):
        return None
