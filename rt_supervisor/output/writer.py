"""Writes whole blocks to a descriptor, and tells in which way that has failed.

A closed reader, a full disk and a reader that has stopped reading each have their own answer here, so that displays only
say what is to be written.
"""

from __future__ import annotations

import errno
import os

from ..vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class OutputClosed(Exception):
    """Nobody reads rt's output any more: the pipe was closed, and the run ends as by SIGPIPE; or the terminal hung up."""

    def __init__(self, writer: Writer) -> None:
        super().__init__("output closed")
        self.hung_up = writer.is_terminal


class OutputAbandoned(Exception):
    """rt is to end and its reader does not read; raised into a blocked write by the supervisor's alarm."""


class Writer:
    """Writes to one descriptor that rt does not own (it is never made non-blocking)."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.is_terminal = os.isatty(descriptor)
        self.is_writing = False
        self.on_writing: Callable[[bool], None] | None = None
        """Called with True before a write, which may block, and with False after it."""

    def write(self, data: bytes) -> None:
        """Write all of `data`. Raises OutputClosed, OutputAbandoned, or Failed on a full disk or another error."""
        self.is_writing = True
        if self.on_writing is not None:
            self.on_writing(True)
        try:
            view = memoryview(data)
            while view:
                try:
                    view = view[os.write(self.descriptor, view) :]
                except BlockingIOError:
                    self._wait()
        except BrokenPipeError as error:
            raise OutputClosed(self) from error
        except OSError as error:
            if error.errno == errno.EIO:  # the terminal is gone
                raise OutputClosed(self) from error
            raise Failed("output-failed", refusal_words(error.errno or 0, error.strerror or "")) from error
        finally:
            if self.on_writing is not None:
                self.on_writing(False)
            self.is_writing = False

    def _wait(self) -> None:
        """Wait until a descriptor that somebody else made non-blocking takes more."""
        import select

        poll = select.poll()
        poll.register(self.descriptor, select.POLLOUT)
        poll.poll()


def refusal_words(number: int, words: str) -> str:
    """What is said where output cannot be written: the system's number and words."""
    return f"cannot write output: {words} ({errno.errorcode.get(number, '?')})"
