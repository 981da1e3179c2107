"""What a program prints on its way out: gathered into big blocks, order between stdout and stderr kept.

Flushed before the loop waits, at exit, and whenever much has gathered. A closed pipe ends the program quietly.
"""

from __future__ import annotations

import os

MOST_GATHERED = 64 * 1024


class OutputClosed(BaseException):
    """Nobody reads what the program prints; it is no `Exception`, so it passes through JavaScript."""


class ProgramOutput:
    """Gathers writes to descriptors 1 and 2."""

    def __init__(self) -> None:
        self._descriptor = 1
        self._pieces: list[bytes] = []
        self._size = 0

    def write(self, descriptor: int, text: str | bytes) -> None:
        """Take text (lone surrogates become U+FFFD) or bytes for `descriptor`."""
        data = _encoded(text) if isinstance(text, str) else bytes(text)
        if descriptor != self._descriptor:
            self.flush()
            self._descriptor = descriptor
        self._pieces.append(data)
        self._size += len(data)
        if self._size > MOST_GATHERED:
            self.flush()

    def flush(self) -> None:
        """Write what has gathered. Raises OutputClosed."""
        if not self._pieces:
            return
        data = b"".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._descriptor, view) :]
            except BlockingIOError:
                import select

                select.select([], [self._descriptor], [])
            except BrokenPipeError as error:
                if self._descriptor == 1:
                    raise OutputClosed from error
                return


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
