"""Text measured in terminal cells: expands tabs and cuts lines to a width. Colours (SGR) have no width.

rich provides the widths; it is imported only for text that is not ASCII. Lines must have been sanitized (`sanitize`).
"""

from __future__ import annotations

import re

ELLIPSIS = "…"
RESET = "\x1b[0m"
_TAB_STOP = 8
_SEQUENCE = re.compile(r"(\x1b\[[0-9;:]*m)")


def width(text: str) -> int:
    """Return the width of `text`, which has no colours, in cells."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def line_width(line: str) -> int:
    """Return the width of `line`, which may have colours, in cells."""
    return width(_SEQUENCE.sub("", line) if "\x1b" in line else line)


def expand_tabs(line: str) -> str:
    """Return `line` with tabs replaced by spaces, as a terminal shows it from column 0."""
    if "\t" not in line:
        return line
    if line.isascii() and "\x1b" not in line:
        return line.expandtabs(_TAB_STOP)
    column = 0
    shown = []
    for piece in re.split(r"(\t|\x1b\[[0-9;:]*m)", line):
        if piece == "\t":
            piece = " " * (_TAB_STOP - column % _TAB_STOP)
        if not piece.startswith("\x1b"):
            column += width(piece)
        shown.append(piece)
    return "".join(shown)


def cut(line: str, columns: int) -> str:
    """Return `line` if it fits into `columns` cells, otherwise its beginning with an ellipsis; colours may stay
    open."""
    if line.isascii() and "\x1b" not in line:
        return line if len(line) <= columns else line[: columns - 1] + ELLIPSIS if columns > 0 else ""
    if line_width(line) <= columns:
        return line
    if columns <= 0:
        return ""
    left = columns - 1
    shown = []
    for piece in _SEQUENCE.split(line):
        if piece.startswith("\x1b"):
            shown.append(piece)
            continue
        cells = width(piece)
        if cells > left:
            before, text = "".join(shown), _beginning(piece, left)
            # Cutting at a misplaced joiner can change the width of the text before it.
            while text and line_width(before + text + ELLIPSIS) > columns:
                text = text[:-1]
            shown.append(text)
            break
        left -= cells
        shown.append(piece)
    return "".join(shown) + ELLIPSIS


def cut_row(row: str, columns: int) -> str:
    """Return `row` cut to `columns` cells, with every colour closed at its end."""
    fitting = cut(row, columns)
    return fitting if fitting == row or "\x1b" not in fitting else fitting + RESET


def _beginning(text: str, columns: int) -> str:
    if text.isascii():
        return text[:columns]
    from rich.cells import split_text

    return split_text(text[: columns * 8], columns)[0]
