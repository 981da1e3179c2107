"""What a program prints on its way out: gathered into big blocks, order between stdout and stderr kept.

Flushed before the loop waits, at exit, when much has gathered, and when what was printed is MOST_DELAY old, even while
the program computes: then by a thread that lives as long as something is gathered. A terminal and a first line wait for
nothing. A closed pipe ends the program quietly, unless it listens for errors of process.stdout.
"""

from __future__ import annotations

import _thread
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

MOST_GATHERED = 64 * 1024
MOST_DELAY = 0.01


class OutputClosed(BaseException):
    """Nobody reads what the program prints; it is no `Exception`, so it passes through JavaScript."""


class OutputFailed(BaseException):
    """What the program prints cannot be written (a full disk); `error` says why."""

    def __init__(self, error: OSError, descriptor: int) -> None:
        super().__init__(str(error))
        self.error = error
        self.descriptor = descriptor


class ProgramOutput:
    """Gathers writes to descriptors 1 and 2. What writing raises in the thread is raised at the next write or flush.

    Of the reader of descriptor 1, `_reader` says:

    there --a write failed--> gone --the program was told--> given up
       `----------------------`--drop: what is printed is lost--> given up
    """

    def __init__(self) -> None:
        self._descriptor = 1
        self._pieces: list[bytes] = []
        self._size = 0
        self._lock = _thread.allocate_lock()
        self._flushed = 0.0
        self._has_thread = False
        self._problem: OutputClosed | OutputFailed | None = None
        self._reader: Literal["there", "gone", "given up"] = "there"
        self.on_closed: Callable[[], None] | None = (
            None  # is called once when the reader is gone; without it the program ends
        )
        self._terminals: dict[int, bool] = {}
        self.on_gathered: Callable[[], None] = _nobody
        """Called when there is something that `flush` would do; from any thread."""

    def write(self, descriptor: int, text: str | bytes) -> None:
        """Take text (lone surrogates become U+FFFD) or bytes for `descriptor`."""
        data = _encoded(text) if isinstance(text, str) else bytes(text)
        if descriptor != self._descriptor:
            self.flush()
            self._descriptor = descriptor
        self._pieces.append(data)
        self._size += len(data)
        if self._size > MOST_GATHERED or time.monotonic() - self._flushed > MOST_DELAY or self._is_terminal(descriptor):
            self.flush()
            return
        self.on_gathered()
        if not self._has_thread:
            self._has_thread = True
            try:
                _thread.start_new_thread(self._flush_soon, ())
            except RuntimeError:  # the system gives no thread
                self._has_thread = False
                self.flush()

    def flush(self) -> None:
        """Write what has gathered. Raises OutputClosed, OutputFailed."""
        if self._pieces or self._has_thread:  # the thread may be writing what it took
            with self._lock:
                self._write_out()
        if self._problem is not None:
            raise self._problem
        if self._reader == "gone" and self.on_closed is not None:
            self._reader = "given up"
            self.on_closed()

    def drop(self) -> None:
        """Say no more of a reader that has gone away: what is printed is lost."""
        self._problem = None
        self._reader = "given up"

    def _is_terminal(self, descriptor: int) -> bool:
        if descriptor not in self._terminals:
            self._terminals[descriptor] = os.isatty(descriptor)
        return self._terminals[descriptor]

    def _flush_soon(self) -> None:
        while True:
            time.sleep(MOST_DELAY)
            if not self._pieces:
                self._has_thread = False
                if not self._pieces:  # else a write came in between and found a thread
                    return
                self._has_thread = True
            with self._lock:
                self._write_out()

    def _write_out(self) -> None:
        """Write with the lock held; problems are kept for whoever prints next."""
        pieces, self._pieces = self._pieces, []
        descriptor = self._descriptor
        self._size = 0
        view = memoryview(b"".join(pieces))
        while view:
            try:
                view = view[os.write(descriptor, view) :]
            except BlockingIOError:
                import select

                select.select([], [descriptor], [])
            except BrokenPipeError:
                if descriptor == 1 and self._reader == "there":
                    self._reader = "gone"
                    if self.on_closed is None:
                        self._problem = OutputClosed()
                break
            except OSError as error:
                import errno

                if error.errno not in (errno.EBADF, errno.EIO):  # there is no such stream, or its terminal is gone
                    self._problem = OutputFailed(error, descriptor)
                break
        if self._problem is not None or self._reader == "gone":
            self.on_gathered()
        self._flushed = time.monotonic()


def _nobody() -> None:
    return


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
