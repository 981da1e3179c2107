"""The messages of `--watch`: it clears the screen, and prints a line about each change and each end of a program."""

from __future__ import annotations

import os

from ...vocabulary.events import Exited
from ...watching.descriptions import CLEAR, describe_files
from ..drawing.outcomes import sentence_of_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...vocabulary.events import Signaled
    from ..writer import Writer

_DIM, _RESET = "\x1b[2m", "\x1b[0m"


class WatchLines:
    """Reports the generations of one command on stderr; the screen is cleared through stdout."""

    def __init__(self, *, folder: str, out: Writer, err: Writer, clears: bool, is_silent: bool, colour: bool) -> None:
        """With `clears` the screen is cleared before each restart. Paths are shown relative to `folder`."""
        self._folder = folder
        self._out = out
        self._err = err
        self._clears = clears
        self._is_silent = is_silent
        self._colour = colour

    def restarts(self, changed: Sequence[str]) -> None:
        if self._clears:
            self._out.write(CLEAR)
        if not self._is_silent:
            self._say(f"restarted: {describe_files(changed, self._folder)} changed")

    def ended(self, outcome: Exited | Signaled) -> None:
        if not self._is_silent:
            self._say(f"{sentence_of_end(outcome)}, waiting for changes")

    def folder_is_gone(self) -> None:
        if not self._is_silent:
            self._say(f"{self._folder} does not exist, waiting for it")

    def _say(self, text: str) -> None:
        line = f"{_DIM}rt: {text}{_RESET}" if self._colour else f"rt: {text}"
        self._err.write(os.fsencode(line) + b"\n")
