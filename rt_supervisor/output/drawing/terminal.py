"""Rows redrawn in place at the bottom of a terminal.

The cursor rests below the rows, visible, and every frame is one write that resets what it changes (cursor, line
wrapping, synchronized output), so that nothing needs to be restored however rt ends. Only changed rows are written.
Uses sequences that every terminal supports: ESC [ A B F K and modes. Rows are erased one by one, because some terminals
keep text erased by ESC [ J in their history.
"""

from __future__ import annotations

import os

_BEGIN = "\x1b[?2026h\x1b[?25l"
_END = "\x1b[?25h\x1b[?2026l"
_NO_WRAP = "\x1b[?7l"
_WRAP = "\x1b[?7h"
# Terminals that rewrap the screen when they get narrower; others cut it.
_REFLOWING = (
    "ALACRITTY_WINDOW_ID",
    "GHOSTTY_RESOURCES_DIR",
    "ITERM_SESSION_ID",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "TMUX",
    "VTE_VERSION",
    "WEZTERM_PANE",
    "WT_SESSION",
)


def terminal_size(descriptor: int) -> tuple[int, int]:
    """Return (columns, rows) of the terminal at `descriptor`; 80 by 24 if the system does not know them."""
    try:
        columns, rows = os.get_terminal_size(descriptor)
    except OSError:
        columns = rows = 0
    return columns or 80, rows or 24


def rewraps_on_resize() -> bool:
    """Return whether this terminal is known to rewrap its screen when it gets narrower."""
    return any(name in os.environ for name in _REFLOWING)


class Painter:
    """Records which rows are on the screen, and returns the bytes that change them to others."""

    def __init__(self) -> None:
        self._rows: list[str] = []
        self._lost_height: int | None = None

    def resized(self, *, columns: int, screen_rows: int, rewraps: bool) -> None:
        """Record that the terminal has a new size: the next frame redraws everything."""
        height = len(self._rows)
        if rewraps:
            from .cells import line_width

            height = sum(max(1, -(-line_width(row) // columns)) for row in self._rows)
        self._lost_height = min(height, screen_rows - 1)

    def frame(self, rows: list[str], *, above: str = "") -> bytes:
        """Return the bytes that show `rows` below `above` (complete lines that stay), b"" if nothing changes.

        There must be fewer rows than the terminal has, none wider than the terminal.
        """
        written: list[str] = []
        old = self._rows
        if above or self._lost_height is not None:
            height = len(old) if self._lost_height is None else self._lost_height
            written += ["\x1b[K", "\x1b[A\x1b[K" * height, above]
            old, self._lost_height = [], None
        moved = self._changes(old, rows)
        if moved:
            written += [_NO_WRAP, *moved, _WRAP]
        self._rows = rows
        # User input may have moved the cursor within its row, so every frame starts at column 0.
        return "".join((_BEGIN, "\r", *written, _END)).encode() if written else b""

    @staticmethod
    def _changes(old: list[str], rows: list[str]) -> list[str]:
        written: list[str] = []
        at = len(old)

        def go_to(row: int) -> None:
            nonlocal at
            if row != at:
                written.append(f"\x1b[{at - row}F" if row < at else f"\x1b[{row - at}B")
            at = row

        for index, row in enumerate(rows):
            if index >= len(old) or old[index] != row:
                go_to(index)
                written.append(f"\x1b[K{row}\r\n")
                at += 1
        if len(rows) < len(old):
            go_to(len(old))
            written.append("\x1b[K" + "\x1b[A\x1b[K" * (len(old) - len(rows)))
            at = len(rows)
        go_to(len(rows))
        return written
