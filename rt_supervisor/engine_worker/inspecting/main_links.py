"""A session of a worker with the main thread (`inspector.Session.connectToMainThread`).

Its commands are carried out in turns of the main program's loop, and its messages arrive in turns of the worker's. It is one
of the main program's own sessions there: a pause that no front end sees ends at once.
"""

from __future__ import annotations

import contextlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..program.provider import ProgramProvider


class MainLink:
    """One session; used on the worker's thread. `deliver(text)` is called on the main thread."""

    def __init__(self, main: ProgramProvider, deliver: Callable[[str], None]) -> None:
        self._main = main
        self._deliver = deliver
        self._number = 0  # of the session, once it is open; of the main thread
        self._post(self._open)

    def send(self, text: str) -> None:
        """Carry out a command; its answer is a message."""
        self._post(lambda: self._main.debugging.dispatch(self._number, text))

    def close(self) -> None:
        self._post(lambda: self._main.debugging.disconnect(self._number))

    def _post(self, action: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the main program is over
            self._main.loop.complete(lambda: self._main.debugging.run_in_turn(action))

    def _open(self) -> None:
        debugging = self._main.debugging
        self._number = debugging.connect(self._deliver)
        for thread in self._main.threads.values():
            thread.reveal(debugging.hub)
