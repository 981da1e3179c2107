"""Positions in a text for messages: line, column, and the line itself with a caret."""

from __future__ import annotations

_WIDEST = 100


def place_of(text: str, at: int) -> tuple[int, int]:
    """Return the line and column of offset `at`, both counted from 1."""
    at = min(at, len(text))
    start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at) + 1, at - start + 1


def pointed_at(text: str, at: int) -> str:
    """Return `line 1, column 8` with the line and a caret below it; a long line is cut."""
    line, column = place_of(text, at)
    start = min(at, len(text)) - (column - 1)
    end = text.find("\n", start)
    shown = text[start : end if end >= 0 else len(text)].replace("\t", " ")
    first = max(0, column - 1 - _WIDEST // 2)
    cut = shown[first : first + _WIDEST]
    head = "… " if first else ""
    return f"line {line}, column {column}\n    {head}{cut}\n    {' ' * (len(head) + column - 1 - first)}^"
