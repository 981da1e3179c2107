"""Descriptions of changed files, with a few names, and the sequence that clears the screen before they are shown."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CLEAR = b"\x1b[2J\x1b[3J\x1b[H"  # clears the screen and the scrollback, moves the cursor home
MOST_NAMED = 2


def describe_files(changed: Sequence[str], folder: str) -> str:
    """Return "src/a.ts", "src/a.ts and b.ts", or "src/a.ts, b.ts and 3 more files"."""
    paths = list(dict.fromkeys(changed))
    shown = [_printable(os.path.relpath(path, folder)) for path in paths[:MOST_NAMED]]
    more = len(paths) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more {'file' if more == 1 else 'files'}"
    return " and ".join(shown)


def _printable(text: str) -> str:
    """Replace characters that could control a terminal."""
    return text if text.isprintable() else "".join(each if each.isprintable() else "?" for each in text)
