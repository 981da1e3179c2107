"""The sources of a program as people wrote them: lines for previews, positions mapped back through source maps."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _native


class Sources:
    """What was loaded, by the name that stack frames give it."""

    def __init__(self) -> None:
        self._transformed: dict[str, _native.Transformed] = {}
        self._maps: dict[str, _native.SourceMap | None] = {}
        self._columns: dict[str, int] = {}

    def add(self, name: str, transformed: _native.Transformed, *, shifted_by: int = 0) -> None:
        """Remember a script; `shifted_by` columns were put before its first line."""
        self._transformed[name] = transformed
        if shifted_by:
            self._columns[name] = shifted_by

    def map_position(self, name: str, line: int, column: int) -> list[object]:
        """Return [line, column, name or None] of the source for a position in the running code, all from 1."""
        transformed = self._transformed.get(name)
        if transformed is None:
            return [line, column, None]
        if line == 1:
            column = max(1, column - self._columns.get(name, 0))
        if name not in self._maps:
            self._maps[name] = transformed.map()
        source_map = self._maps[name]
        if source_map is None:
            return [line, column, None]
        found = source_map.lookup(line, column)
        return [line, column, None] if found is None else [found[1], found[2], found[3]]

    def lines(self, name: str, first: int, last: int) -> list[str] | None:
        """Return source lines `first` to `last` (from 1, inclusive) of `name`, fewer at its end; None when unknown."""
        transformed = self._transformed.get(name)
        if transformed is not None:
            text = transformed.source
        else:
            try:
                with open(name, encoding="utf-8", errors="replace", newline="") as file:
                    text = file.read(4 << 20)
            except (OSError, ValueError):
                return None
        return [line.rstrip("\r") for line in text.split("\n")[max(0, first - 1) : last]]
