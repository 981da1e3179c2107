"""rt's own words on stdout and stderr: text out in one piece, errors and warnings in the right colours."""

from __future__ import annotations

import os

from .colours import wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def write(descriptor: int, text: str) -> None:
    """Write all of `text`. Raises OSError; text that came from bytes goes out as the same bytes."""
    try:
        data = memoryview(os.fsencode(text))
    except UnicodeEncodeError:
        data = memoryview(text.encode("utf-8", "backslashreplace"))
    while data:
        data = data[os.write(descriptor, data) :]


def warn(message: str) -> None:
    """Print a warning to stderr."""
    from ..output.plain import warning

    say(warning(message, colour=wants_colour(2, os.environ)))


def warn_all(messages: Iterable[str]) -> None:
    """Print several warnings."""
    for message in messages:
        warn(message)


def fail(message: str) -> None:
    """Print a failure to stderr."""
    from ..output.plain import error

    say(error(message, colour=wants_colour(2, os.environ)))


def say(line: str) -> None:
    """Print a line to stderr, if anybody is left to read it."""
    try:
        write(2, line + "\n")
    except OSError:
        return
