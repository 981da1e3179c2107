"""What a decision has looked at, for whoever wants to know later whether it would be the same: paths and variables.

Every look at the disk on the way to a decision goes through `noted`; `tests/unit/start/test_dependencies.py` holds the modules to
it. Who looks is anywhere in rt, so there is one `evidence` in a process. Nothing is kept where no launcher asks, and
nothing from `spoil` on: then the decision is not one to be repeated.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, Protocol

    class Variables(Protocol):
        """What an environment is asked."""

        def get(self, name: str, /) -> str | None: ...


# A file that changed this shortly before it was read may change again with the same time stamp.
CLOCK_TICK_NS = 20_000_000


class Question:
    """What the launcher asked: `words`, any bytes; `place` is where it looks for the answer."""

    def __init__(self, place: str, words: bytes) -> None:
        self.place = place
        self.words = words
        self.at_ns = time.time_ns()


class Evidence:
    """What this process has looked at.

    unasked ──a launcher has asked──► gathering ──spoil──► spoiled
    """

    def __init__(self) -> None:
        self._state: Literal["unasked", "gathering", "spoiled"] = "unasked"
        self.question: Question | None = None
        self.image: Question | None = None
        """What the launcher would have started rt from (`rt_supervisor/start/image.py`), where it had none."""
        self._paths: dict[str, None] = {}
        self._many: list[bytes] = []
        self._made: dict[str, None] = {}
        self._variables: dict[str, str | None] = {}

    def called_path(self) -> str | None:
        """How rt was called, if a launcher (`native/launcher/src/main.rs`) has started this process; its question is taken, too."""
        called = sys._xoptions.get("rt")
        if not isinstance(called, str):
            return None
        self.question, self.image = _told("rt-question"), _told("rt-image")
        if self.question is not None:
            self._state = "gathering"
        return called

    @property
    def is_whole(self) -> bool:
        """Whether a launcher asks, and all that decides has been noted."""
        return self._state == "gathering"

    def spoil(self) -> None:
        """Say that something else decides, too, or that something was done: there is no evidence then."""
        self._state = "spoiled"

    def noted(self, path: str) -> str:
        """Return `path`, and note that what is there decides."""
        if self._state == "gathering":
            self._paths[path if path[:1] == "/" else os.path.join(os.getcwd(), path)] = None
        return path

    def note_all(self, paths: Iterable[bytes]) -> None:
        """Note that what is at each of many absolute paths decides."""
        if self._state == "gathering":
            self._many.extend(paths)

    def made(self, path: str) -> None:
        """Note that this run made the file `path`, in one step: that it is so young is no reason to doubt it."""
        self._made[path] = None

    def asked(self, environment: Variables, name: str) -> str | None:
        """Return the variable `name`, and note that it decides."""
        value = environment.get(name)
        if self._state == "gathering":
            self._variables[name] = value
        return value

    def made_paths(self) -> list[str]:
        return list(self._made)

    def paths(self, *, but: str | None = None) -> list[bytes]:
        """What was looked at, but for what this run made itself, and for `but`."""
        left = (path for path in self._paths if path not in self._made and path != but)
        return [*map(os.fsencode, left), *self._many]

    def variables(self) -> dict[str, str | None]:
        """What was asked for, None for what was not there."""
        return dict(self._variables)


evidence = Evidence()
noted = evidence.noted


def _told(option: str) -> Question | None:
    descriptor = sys._xoptions.get(option)
    if not isinstance(descriptor, str) or not descriptor.isdigit():
        return None
    try:
        place, _, words = os.pread(int(descriptor), os.fstat(int(descriptor)).st_size, 0).partition(b"\0")
        os.close(int(descriptor))
    except OSError:
        return None
    return Question(os.fsdecode(place), words)


class Asked:
    """An environment that can be asked for variables but lists none: those which nobody changes are passed on natively."""

    def __init__(self, environment: Variables) -> None:
        self._environment = environment

    def get(self, name: str, /) -> str | None:
        return evidence.asked(self._environment, name)

    def items(self) -> tuple[tuple[str, str], ...]:
        return ()
