"""`rt README.md`: a Markdown file as text for people."""

from __future__ import annotations

import os

from ..vocabulary.errors import Failed
from .streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_COLUMNS = 80  # where nobody says how wide


def show_page(path: str, environment: Mapping[str, str]) -> int:
    """Write the page on stdout; return the exit status. Raises Failed for a file that cannot be read."""
    from ..markdown.terminal import to_text
    from ..output.drawing.cells import width

    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            text = file.read()
    except OSError as error:
        raise Failed("not-runnable", f'Cannot read "{path}": {(error.strerror or "unknown error").lower()}') from error
    write(1, to_text(text, _columns(environment), width))
    return 0


def _columns(environment: Mapping[str, str]) -> int:
    given = environment.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(1).columns or _COLUMNS
    except OSError:
        return _COLUMNS
