"""Attempts at tasks: how many each has had, when one has taken too long, and which tasks are flaky. Plain counting."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .task_policies import TaskPolicy


class Attempts:
    """The attempts of one run. `policies` has one for each task; `clock` counts seconds."""

    def __init__(self, policies: Mapping[int, TaskPolicy], clock: Callable[[], float]) -> None:
        self._policies = policies
        self._clock = clock
        self._numbers: dict[int, int] = {}  # of the tasks that have run more than once
        self._begun_s: dict[int, float] = {}
        self._deadlines: dict[int, float] = {}
        self._timed_out: set[int] = set()
        self.flaky: dict[int, int] = {}
        """The tasks that succeeded after a failure, with the number of the attempt."""

    @property
    def moments(self) -> Iterable[float]:
        """The times at which something is due."""
        return self._deadlines.values()

    def number(self, key: int) -> int:
        """Return the number of the last attempt at a task."""
        return self._numbers.get(key, 1)

    def begin(self, key: int) -> None:
        """Record that an attempt has started."""
        self._timed_out.discard(key)
        self._begun_s[key] = self._clock()
        timeout_s = self._policies[key].timeout_s
        if timeout_s is not None:
            self._deadlines[key] = self._begun_s[key] + timeout_s

    def stop(self, key: int) -> None:
        """Record that the process of an attempt has ended."""
        self._deadlines.pop(key, None)

    def seconds(self, key: int) -> float:
        """Return how long ago the last attempt has started."""
        return self._clock() - self._begun_s[key]

    def take_late(self) -> list[int]:
        """Return the tasks whose time is over. Each is returned once."""
        now = self._clock()
        late = [key for key, deadline in self._deadlines.items() if now >= deadline]
        for key in late:
            del self._deadlines[key]
        return late

    def time_out(self, key: int) -> None:
        """Record that the attempt is being ended because its time is over."""
        self._timed_out.add(key)

    def has_timed_out(self, key: int) -> bool:
        return key in self._timed_out

    def is_one_left(self, key: int) -> bool:
        """Return whether a task that has failed runs again."""
        return self.number(key) <= self._policies[key].retries

    def count(self, key: int) -> int:
        """Count another attempt, and return its number."""
        self._numbers[key] = self.number(key) + 1
        return self._numbers[key]

    def succeed(self, key: int) -> None:
        """Record a success."""
        if key in self._numbers:
            self.flaky[key] = self._numbers[key]

    def forget(self, key: int) -> None:
        """Begin to count again: the task runs for another reason."""
        self._numbers.pop(key, None)
        self.flaky.pop(key, None)
