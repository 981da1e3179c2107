"""What a decision has looked at, for whoever wants to know later whether it would be the same: paths and variables.

Every look at the disk on the way to a decision goes through `noted`; `tests/unit/test_evidence.py` holds the modules to
it. Nothing is kept where no launcher asks, and nothing from `spoil` on: then the decision is not one to be repeated.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class Variables(Protocol):
        """What an environment is asked."""

        def get(self, name: str, /) -> str | None: ...


class Question:
    """What the launcher asked: `words`, any bytes; `place` is where it looks for the answer."""

    def __init__(self, place: str, words: bytes) -> None:
        self.place = place
        self.words = words
        self.at_ns = time.time_ns()


question: Question | None = None
image: Question | None = None
"""What the launcher would have started rt from (`rt_supervisor/cli/image.py`), where it had none."""
_paths: dict[str, None] | None = None
_many: list[bytes] = []
_made: list[str] = []
_variables: dict[str, str | None] = {}


def called_path() -> str | None:
    """How rt was called, if a launcher (`native/start/src/main.rs`) has started this process; its question is taken, too."""
    global question, image, _paths
    called = sys._xoptions.get("rt")
    if not isinstance(called, str):
        return None
    question, image = _told("rt-question"), _told("rt-image")
    if question is not None:
        _paths = {}
    return called


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


def spoil() -> None:
    """Say that something else decides, too, or that something was done: there is no evidence then."""
    global _paths
    _paths = None


def noted(path: str) -> str:
    """Return `path`, and note that what is there decides."""
    if _paths is not None:
        _paths[path if path[:1] == "/" else os.path.join(os.getcwd(), path)] = None
    return path


def note_all(paths: Iterable[bytes]) -> None:
    """Note that what is at each of many absolute paths decides."""
    if _paths is not None:
        _many.extend(paths)


def made(path: str) -> None:
    """Note that this run made the file `path`, in one step: that it is so young is no reason to doubt it."""
    _made.append(path)


def made_paths() -> list[str]:
    return list(_made)


def asked(environment: Variables, name: str) -> str | None:
    """Return the variable `name`, and note that it decides."""
    value = environment.get(name)
    if _paths is not None:
        _variables[name] = value
    return value


class Asked:
    """An environment that can be asked for variables but lists none: those which nobody changes are passed on natively."""

    def __init__(self, environment: Variables) -> None:
        self._environment = environment

    def get(self, name: str, /) -> str | None:
        return asked(self._environment, name)

    def items(self) -> tuple[tuple[str, str], ...]:
        return ()


def paths() -> list[str] | None:
    """What was looked at; None without evidence."""
    return None if _paths is None else list(_paths)


def all_paths() -> list[bytes]:
    """What was looked at, but for what this run made itself."""
    made = dict.fromkeys(_made)
    return [*(os.fsencode(path) for path in _paths or () if path not in made), *_many]


def variables() -> dict[str, str | None]:
    """What was asked for, None for what was not there."""
    return dict(_variables)
