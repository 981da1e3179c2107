"""TOML documents, by the standard library, which takes quadratic time and memory for the parts of a dotted key.

`read_toml` therefore limits the parts of a key. Importing this module is cheap; the parser is imported on the first call.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_PARTS = 200
# Longer strings come first, so that their quotes and dots are not matched as parts of a key. Each token matches in
# linear time.
_TOKEN = (
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|\'\'\'(?:[^\']|\'(?!\'\'))*+(?:\'{3,5})?'
    r'|(?P<part>"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|[A-Za-z0-9_-]++)|(?P<dot>[ \t]*+\.[ \t]*+)|#[^\n]*+|[ \t]++|.'
)


class TomlProblem(Exception):
    """The error in a document, with line and column."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


def read_toml(text: str) -> dict[str, Any]:
    """Parse a document. Raises TomlProblem."""
    import tomllib

    text = text.replace("\r\n", "\n")
    _refuse_long_keys(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlProblem(*_position(str(error), text)) from error
    except RecursionError:
        raise TomlProblem("nested too deeply", 1, 1) from None


def _refuse_long_keys(text: str) -> None:
    if text.count(".") < _MAX_PARTS:
        return
    parts = 0
    is_after_dot = False
    for token in re.finditer(_TOKEN, text, re.DOTALL):
        if token["part"] is not None:
            parts = parts + 1 if is_after_dot else 1
        elif token["dot"] is None:
            parts = 0
        is_after_dot = token["dot"] is not None
        if parts > _MAX_PARTS:
            line = text.count("\n", 0, token.start()) + 1
            column = token.start() - text.rfind("\n", 0, token.start())
            raise TomlProblem(f"a key has more than {_MAX_PARTS} parts", line, column)


def _position(message: str, text: str) -> tuple[str, int, int]:
    """Split tomllib's "reason (at line 1, column 5)" or "(at end of document)" into reason, line and column."""
    reason, _, place = message.rpartition(" (at ")
    numbers = [int(word) for word in place.replace(",", " ").replace(")", " ").split() if word.isdigit()]
    if len(numbers) == 2:
        return reason, numbers[0], numbers[1]
    lines = text.split("\n")
    return reason or message, len(lines), len(lines[-1]) + 1
