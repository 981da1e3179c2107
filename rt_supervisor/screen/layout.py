"""Where the parts of the screen are: the list, the view of a terminal with its heading, and the status line.

The supervisor uses it too, so that a script starts with the size that its view will have.
"""

from __future__ import annotations

from ..vocabulary.record import record

_NARROW = 60  # below this width, the list is above the view
_WIDE = 130


@record
class Layout:
    """Sizes in cells. The list is left of the view, or above it if `is_stacked`; either may be 0."""

    is_stacked: bool
    list_columns: int
    list_rows: int
    view_columns: int
    view_rows: int


def layout_of(columns: int, rows: int) -> Layout:
    """Return the layout of a terminal of this size, whatever it is."""
    columns, rows = max(columns, 1), max(rows, 1)
    rest = rows - 1  # without the status line
    if columns < _NARROW:
        list_rows = min(8, max(0, (rest - 1) // 3))
        return Layout(True, columns, list_rows, columns, max(1, rest - 1 - list_rows))
    width = 24 if columns < 100 else 32 if columns < _WIDE else 46
    return Layout(False, width, max(1, rest), columns - width - 1, max(1, rest - 1))
