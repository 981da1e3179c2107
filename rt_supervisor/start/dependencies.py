"""The recorded dependencies of a start: every path and variable that a decision read.

A cached start stays valid while its dependencies are unchanged, so every access to the disk on the way to a decision goes
through `depend_on`, which `tests/unit/start/test_dependencies.py` enforces, and every variable through `RecordedVariables`.
Such accesses happen anywhere in rt, so a process has one `dependencies`. Nothing is recorded unless the launcher passed a
question, and nothing after `prevent_caching`.
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
        """An environment that variables are read from one by one."""

        def get(self, name: str, /) -> str | None: ...


# A file that changed this shortly before it was read may change again with the same time stamp.
CLOCK_TICK_NS = 20_000_000


class Question:
    """A question of the launcher: `words` identify it; the launcher looks for the cached start at `place`."""

    def __init__(self, place: str, words: bytes) -> None:
        self.place = place
        self.words = words
        self.at_ns = time.time_ns()


class Dependencies:
    """The paths and variables that this process has read on the way to its decision.

    off ──the launcher passed a question──► recording ──prevent_caching──► prevented
    """

    def __init__(self) -> None:
        self._state: Literal["off", "recording", "prevented"] = "off"
        self.question: Question | None = None
        self.image: Question | None = None
        """Where the launcher looks for a start image (`start/image.py`), if it found none."""
        self._paths: dict[str, None] = {}
        self._more_paths: list[bytes] = []
        self._created: dict[str, None] = {}
        self._variables: dict[str, str | None] = {}

    def begin(self) -> str | None:
        """Take over the launcher's question and return the path that rt was called by; None without a launcher."""
        called = sys._xoptions.get("rt")
        if not isinstance(called, str):
            return None
        self.question, self.image = _read_question("rt-question"), _read_question("rt-image")
        if self.question is not None:
            self._state = "recording"
        return called

    @property
    def is_recording(self) -> bool:
        """Whether the start can be cached so far: there is a question, and all dependencies were recorded."""
        return self._state == "recording"

    def prevent_caching(self) -> None:
        """Prevent caching of this start: it depends on something that is not recorded, or had an effect."""
        self._state = "prevented"

    def add_path(self, path: str) -> str:
        """Record that the decision depends on the file at `path`; return `path`."""
        if self._state == "recording":
            self._paths[path if path[:1] == "/" else os.path.join(os.getcwd(), path)] = None
        return path

    def add_paths(self, paths: Iterable[bytes]) -> None:
        """Record many absolute paths."""
        if self._state == "recording":
            self._more_paths.extend(paths)

    def add_created(self, path: str) -> None:
        """Record a file that this run created atomically, which therefore may be younger than a clock tick."""
        self._created[path] = None

    def read_variable(self, environment: Variables, name: str) -> str | None:
        """Return the variable `name` of `environment`, and record that the decision depends on it."""
        value = environment.get(name)
        if self._state == "recording":
            self._variables[name] = value
        return value

    def created_paths(self) -> list[str]:
        return list(self._created)

    def paths(self, *, without: str | None = None) -> list[bytes]:
        """Return the recorded paths, except those that this run created and `without`."""
        paths = (path for path in self._paths if path not in self._created and path != without)
        return [*map(os.fsencode, paths), *self._more_paths]

    def variables(self) -> dict[str, str | None]:
        """Return the recorded variables; None for those that were not set."""
        return dict(self._variables)


dependencies = Dependencies()
depend_on = dependencies.add_path


def _read_question(option: str) -> Question | None:
    descriptor = sys._xoptions.get(option)
    if not isinstance(descriptor, str) or not descriptor.isdigit():
        return None
    try:
        place, _, words = os.pread(int(descriptor), os.fstat(int(descriptor)).st_size, 0).partition(b"\0")
        os.close(int(descriptor))
    except OSError:
        return None
    return Question(os.fsdecode(place), words)


class RecordedVariables:
    """An environment whose reads are recorded. It lists no variables: those that nothing changes are passed on natively."""

    def __init__(self, environment: Variables) -> None:
        self._environment = environment

    def get(self, name: str, /) -> str | None:
        return dependencies.read_variable(self._environment, name)

    def items(self) -> tuple[tuple[str, str], ...]:
        return ()
