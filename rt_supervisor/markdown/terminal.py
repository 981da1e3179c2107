"""A Markdown tree as plain text for people: wrapped, with rules under headings, frames around code and tables."""

from __future__ import annotations

import re

from .tree import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .tree import Node

_RULE = 60
_GLUE = "\ue000"  # a space at which no line is broken
_OPTIONS = {"autolinks": True, "wikiLinks": True}


def to_text(text: str, columns: int, measure: Callable[[str], int]) -> str:
    """Return a document as text of `columns` (0: as wide as it comes); `measure` tells how wide a text is shown."""
    page = _Page(columns, measure)
    page.add(parse(text, _OPTIONS))
    return page.text()


class _Page:
    def __init__(self, columns: int, measure: Callable[[str], int]) -> None:
        self._columns = columns
        self._measure = measure
        self._lines: list[str] = []
        self._open: str | None = None  # a line that begins with the mark of an item and has nothing else yet
        self._quotes = 0
        self._indent = 0

    def text(self) -> str:
        self._close()
        return "".join(f"{line}\n" for line in self._lines)

    def add(self, nodes: list[Node]) -> None:
        """Write blocks; inline nodes among them (those of an item in a tight list) are a paragraph together."""
        loose: list[Node] = []
        for node in nodes:
            show = getattr(self, f"_{node[0]}", None)
            if show is None:
                loose.append(node)
                continue
            self._flow(loose)
            loose = []
            show(node[1], node[2])
        self._flow(loose)

    def _prefix(self) -> str:
        return "| " * self._quotes + " " * self._indent

    def _room(self) -> int:
        """How wide a line may be beside what begins it; 0 for any width."""
        return max(self._columns - 2 * self._quotes - self._indent, 1) if self._columns else 0

    def _close(self) -> None:
        if self._open is not None:
            self._lines.append(self._open)
            self._open = None

    def _blank(self) -> None:
        self._close()
        if self._lines and self._lines[-1].strip(" |"):
            self._lines.append("|" * self._quotes)

    def _line(self, text: str) -> None:
        self._lines.append((self._prefix() if self._open is None else self._open) + text)
        self._open = None

    def _flow(self, nodes: list[Node]) -> None:
        if nodes:
            for line in self._wrapped(inline_text(nodes), self._room()):
                self._line(line)

    def _wrapped(self, text: str, room: int, *, in_cell: bool = False) -> Iterator[str]:
        for part in text.split("\n"):
            yield from (line.replace(_GLUE, " ") for line in self._filled(part, room, in_cell=in_cell))

    def _filled(self, text: str, room: int, *, in_cell: bool) -> Iterator[str]:
        """Yield lines; in a cell the blank after a word counts, too."""
        line = ""
        words = re.split(r" +", text.strip(" "))
        for place, word in enumerate(words):
            longer = f"{line} {word}" if line else word
            needed = self._measure(longer) + (in_cell and bool(line) and place < len(words) - 1)
            if not room or needed <= room:
                line = longer
                continue
            if line:
                yield line
            while self._measure(word) > room:
                size = room
                while size > 1 and self._measure(word[:size]) > room:
                    size -= 1
                yield word[:size]
                word = word[size:]
            line = word
        yield line

    # --- blocks

    def _paragraph(self, _meta: dict[str, Any], content: list[Node]) -> None:
        if self._open is None:
            self._blank()
        self._flow(content)

    def _heading(self, meta: dict[str, Any], content: list[Node]) -> None:
        self._blank()
        text = inline_text(content).replace(_GLUE, " ").replace("\n", " ")
        self._line(text)
        if meta["level"] <= 2:
            width = max(self._measure(text), 3)
            self._line(("=", "-")[meta["level"] - 1] * (min(width, self._columns) if self._columns else width))

    def _blockquote(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._blank()
        self._quotes += 1
        self.add(content)
        self._close()
        self._quotes -= 1

    def _list(self, meta: dict[str, Any], content: list[Node]) -> None:
        self._close()
        number = meta.get("start", 1)
        for _, about, children in content:
            lead = "   " if meta["ordered"] else "  "
            mark = f"{number}. " if meta["ordered"] else "* "
            if "checked" in about:
                mark = "[x] " if about["checked"] else "[ ] "
            self._close()
            self._open = self._prefix() + lead + mark
            width = len(lead) + len(mark)
            self._indent += width
            self.add(children)
            self._close()
            self._indent -= width
            number += 1

    def _hr(self, _meta: dict[str, Any], _content: str) -> None:
        self._blank()
        width = min(_RULE, self._columns) if self._columns else _RULE
        self._line("-" * max(width - len(self._prefix()), 1))

    def _code(self, meta: dict[str, Any], content: str) -> None:
        self._blank()
        self._line(f"+- {meta['language']}" if "language" in meta else "+-")
        for line in content.removesuffix("\n").split("\n"):
            self._line(f"| {line}")
        self._line("+-")

    def _html(self, _meta: dict[str, Any], content: str) -> None:
        self._close()
        for line in content.rstrip("\n").split("\n"):
            self._line(line)

    def _table(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._blank()
        rows = [
            [(inline_text(cell[2]), cell[1].get("align", "left")) for cell in row[2]]
            for part in content
            for row in part[2]
        ]
        widths = [max(3, *(self._measure(row[place][0]) for row in rows)) for place in range(len(rows[0]))]
        room = self._room() - 3 * len(widths) - 1
        while self._columns and sum(widths) > room and max(widths) > 3:
            widths[widths.index(max(widths))] -= 1
        rule = "".join("+" + "-" * (width + 2) for width in widths) + "+"
        self._line(rule)
        for place, row in enumerate(rows):
            cells = [
                list(self._wrapped(text, width, in_cell=True)) for (text, _), width in zip(row, widths, strict=True)
            ]
            for number in range(max(map(len, cells))):
                shown = [
                    self._aligned(lines[number] if number < len(lines) else "", align, width)
                    for lines, (_, align), width in zip(cells, row, widths, strict=True)
                ]
                self._line("".join(f"| {cell} " for cell in shown) + "|")
            if place == 0:
                self._line(rule)
        self._line(rule)

    def _aligned(self, text: str, align: str, width: int) -> str:
        spare = max(width - self._measure(text), 0)
        before = {"right": spare, "center": spare // 2}.get(align, 0)
        return " " * before + text + " " * (spare - before)


def inline_text(nodes: list[Node]) -> str:
    """Return inline nodes as text, with addresses after links."""
    return "".join(_shown(*node) for node in nodes)


def _shown(kind: str, meta: dict[str, Any], content: Any) -> str:
    if kind == "softbreak":
        return " "
    if kind == "hardbreak":
        return "\n"
    if isinstance(content, str):
        return content.replace(" ", _GLUE) if kind == "codespan" else content
    inner = inline_text(content)
    if kind == "link":
        return f"{inner}{_GLUE}({meta.get('prefix', '')}{meta['href']})"
    if kind == "image":
        return f"[img] {inner or '(image)'}"
    return f"[[{inner}]]" if kind == "wikilink" else inner
