"""The keys of a run that stays and is shown in blocks: `r` restarts its tasks, `q` ends it, `?` names the keys.

The terminal does not echo keys meanwhile, and reports each one at once; Ctrl-C and Ctrl-Z still send signals. Keys are read only while rt
is in the foreground, so that it never takes what is typed to a shell. A run that ends by itself leaves the terminal alone: what is
typed meanwhile is meant for the shell.
"""

from __future__ import annotations

import os
import termios

from ..vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .run_state import RunState
    from .server import Operations

_LOCAL, _CHARACTERS = 3, 6  # places in the list of modes
_MOST_KEYS = 256
_HELP = "r restarts all tasks · q ends the run · ? shows this"
_SIGINT = 2  # importing `signal` takes longer than this module


class BlockKeys:
    """Reads keys from the terminal at `descriptor` until it is closed."""

    def __init__(self, descriptor: int, announce: Callable[[str], None]) -> None:
        """`announce` shows a line above the blocks."""
        self.descriptor = descriptor
        self._announce = announce
        self._before: list[Any] = termios.tcgetattr(descriptor)
        self._own: list[Any] = [*self._before[:_CHARACTERS], list(self._before[_CHARACTERS])]
        self._own[_LOCAL] &= ~(termios.ECHO | termios.ICANON)
        self._own[_CHARACTERS][termios.VMIN] = 0
        self._own[_CHARACTERS][termios.VTIME] = 0
        self.refresh()

    def refresh(self) -> None:
        """Set the modes of the terminal, which a shell has changed if it stopped rt in between."""
        if self._is_in_foreground() and termios.tcgetattr(self.descriptor)[_LOCAL] != self._own[_LOCAL]:
            termios.tcsetattr(self.descriptor, termios.TCSANOW, self._own)

    def act(self, operations: Operations, state: RunState) -> None:
        """Act on the keys that were typed."""
        if not self._is_in_foreground():
            return
        for key in os.read(self.descriptor, _MOST_KEYS).decode("ascii", "replace"):
            match key:
                case "r":
                    self._restart(operations, state)
                case "q":
                    os.kill(os.getpid(), _SIGINT)
                case "?" | "h":
                    self._announce(_HELP)

    def close(self) -> None:
        """Set the modes that the terminal had before."""
        if self._is_in_foreground():
            termios.tcsetattr(self.descriptor, termios.TCSANOW, self._before)

    def _restart(self, operations: Operations, state: RunState) -> None:
        keys = state.keys_in("running", "succeeded", "failed", "stopped", "skipped")
        try:
            operations.restart_tasks(keys)
        except Failed as failed:
            self._announce(failed.failure.message)

    def _is_in_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self.descriptor) == os.getpgrp()
        except OSError:  # the terminal is gone
            return False
