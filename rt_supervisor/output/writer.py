"""Writes whole blocks to a descriptor that rt does not own.

During a supervised run the core writes (`_native.RunCore.write`), so that a signal is handled even while a write
blocks.
"""

from __future__ import annotations

import errno
import os

from ..vocabulary.errors import Failed
from ..vocabulary.messages import CANNOT_WRITE, fill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`. Raises BrokenPipeError, and Failed on a full disk or another error."""
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failed("output-failed", cannot_write(error.errno or 0, error.strerror or "")) from error


class Writer:
    """One descriptor with the function that writes to it."""

    def __init__(self, descriptor: int, write: Callable[[int, bytes], None] = write_all) -> None:
        self.descriptor = descriptor
        self.is_terminal = os.isatty(descriptor)
        self._write = write

    def write(self, data: bytes) -> None:
        """Write all of `data`; raises the errors of `write`."""
        self._write(self.descriptor, data)


def cannot_write(number: int, words: str) -> str:
    """Return the message about output that cannot be written, with the system's error number and description."""
    return fill(CANNOT_WRITE, reason=words, code=errno.errorcode.get(number, "?"))
