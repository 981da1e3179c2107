"""rt's own output, warnings and failures on stdout and stderr, and programs read from standard input."""

from __future__ import annotations

import os

from ..start.dependencies import dependencies
from ..vocabulary.errors import Failed
from .colours import wants_colour, wants_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST_TEXT = 512 << 20


def read_text(descriptor: int) -> bytes:
    """Read a program to its end. Raises OSError, also for an endless one (/dev/zero)."""
    blocks, total = [], 0
    while block := os.read(descriptor, 1 << 16):
        total += len(block)
        if total > LARGEST_TEXT:
            raise OSError(0, "larger than 512 MiB")
        blocks.append(block)
    return b"".join(blocks)


def write(descriptor: int, text: str) -> None:
    """Write all of `text`. Raises BrokenPipeError, and Failed for other errors such as a full disk.

    Text that was decoded from bytes is written as the same bytes, except on a terminal (`shown`).
    """
    dependencies.prevent_caching()  # a cached start would not print it again
    text = shown(descriptor, text)
    try:
        data = memoryview(os.fsencode(text))
    except UnicodeEncodeError:
        data = memoryview(text.encode("utf-8", "backslashreplace"))
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except BrokenPipeError:
        raise
    except OSError as error:
        from ..output.writer import cannot_write

        raise Failed("output-failed", cannot_write(error.errno or 0, error.strerror or "")) from error


def shown(descriptor: int, text: str) -> str:
    """Return `text` as it is written: on a terminal, without control sequences other than colours, since names and
    commands in it may come from untrusted files."""
    if not _is_plain(text) and os.isatty(descriptor):
        from ..output.drawing.sanitize import harmless_text

        return harmless_text(text)
    return text


def _is_plain(text: str) -> bool:
    """Return whether `text` is printable lines, coloured or not."""
    first, *coloured = text.split("\x1b[")
    pieces = [first, *(piece.lstrip("0123456789;") for piece in coloured)]
    return all(piece[:1] == "m" for piece in pieces[1:]) and "".join(pieces).replace("\n", "").isprintable()


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


def print_failure(failed: Failed) -> int:
    """Print a failure with its warnings and its hint to stderr and return the exit status that it means."""
    warn_all(failed.warnings)
    fail(failed.failure.message)
    if failed.hint and wants_notes(os.environ):
        say(f"note: {failed.hint}")
    return failed.failure.status


def say(line: str) -> None:
    """Print a line to stderr; errors are ignored."""
    try:
        write(2, line + "\n")
    except (OSError, Failed):
        return
