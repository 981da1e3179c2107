"""The services of a run: when each is ready, when a failed one starts again, and which ones nothing needs any more.

```text
awaited ──ready──> running ──failed, and it restarts──> delayed ──the delay is over──> awaited
   └──its time is over, or it ended──> given up
```

Observes and counts; `task_runner` starts and ends the processes.
"""

from __future__ import annotations

from ..vocabulary.record import record
from .task_policies import Backoff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from ..plan.model import Task
    from ..tasks.readiness import Readiness
    from .wake_pipe import WakePipe


@record
class Service:
    """A persistent task that says when it is `ready`, and the tasks that need it until they have ended.

    One that `is_selected` was named by the user and is not ended by rt.
    """

    ready: Mapping[str, bool | int | str]
    needed_by: frozenset[int]
    is_selected: bool


class Services:
    """The services of one run, by the keys of their tasks."""

    def __init__(self, services: Mapping[int, Service], wakes: WakePipe, clock: Callable[[], float]) -> None:
        """A readiness check wakes the run by `wakes`."""
        self._services = services
        self._wakes = wakes
        self._clock = clock
        self._awaited: dict[int, tuple[Readiness, float]] = {}  # with the time until which they have to be ready
        self._delayed: dict[int, float] = {}  # with the time at which they start again
        self._backoffs: dict[int, Backoff] = {}

    def __len__(self) -> int:
        return len(self._services)

    def __contains__(self, key: int) -> bool:
        return key in self._services

    @property
    def moments(self) -> Iterable[float]:
        """The times at which something is due."""
        return (*(deadline for _, deadline in self._awaited.values()), *self._delayed.values())

    def close(self) -> None:
        for readiness, _ in self._awaited.values():
            readiness.close()
        self._awaited.clear()

    # --- readiness

    def is_awaited(self, key: int) -> bool:
        return key in self._awaited

    def wait_for(self, task: Task) -> None:
        """Observe the service `task`, which has started, until it is ready."""
        from ..tasks.readiness import Readiness  # starts threads

        self._wakes.open()
        self.forget(task.key)
        readiness = Readiness(
            self._services[task.key].ready,
            folder=task.folder,
            environment=task.steps[-1].environment,
            wake=self._wakes.wake,
        )
        self._awaited[task.key] = (readiness, self._clock() + readiness.timeout_s)

    def start(self, key: int, pid: int) -> bool:
        """Record the process with which a service has started. Return whether it is awaited."""
        if key not in self._awaited:
            return False
        self._awaited[key][0].pid = pid
        return True

    def feed(self, key: int, block: bytes) -> None:
        """Look for the line that says that a service is ready in what it prints."""
        if key in self._awaited:
            self._awaited[key][0].feed(block)

    def forget(self, key: int) -> bool:
        """Observe a service no longer. Return whether it was awaited."""
        known = self._awaited.pop(key, None)
        if known is not None:
            known[0].close()
        return known is not None

    def take(self) -> tuple[list[int], list[tuple[int, str]]]:
        """Return the services that have become ready, and those whose time is over, each with the problem in words."""
        ready, late = [], []
        for key, (readiness, deadline) in list(self._awaited.items()):
            if readiness.is_ready:
                del self._awaited[key]
                ready.append(key)
            elif self._clock() >= deadline:
                self.forget(key)
                late.append((key, f"was not ready after {readiness.timeout_s:g} s ({readiness.words})"))
        return ready, late

    # --- restarts

    @property
    def delayed(self) -> list[int]:
        """The services that have failed and wait for their next start."""
        return list(self._delayed)

    def delay(self, key: int, *, ran_s: float) -> float:
        """Plan the next start of a service that has failed after `ran_s` seconds. Return the delay in seconds.

        A service that is awaited stays so: its time to become ready does not begin again.
        """
        delay_s = self._backoffs.setdefault(key, Backoff()).delay_s(ran_s)
        self._delayed[key] = self._clock() + delay_s
        return delay_s

    def take_due(self) -> list[int]:
        """Return the services whose delay is over."""
        now = self._clock()
        due = [key for key, moment in self._delayed.items() if now >= moment]
        for key in due:
            del self._delayed[key]
        return due

    def give_up(self, key: int) -> bool:
        """Cancel the next start of a service. Return whether one was planned."""
        return self._delayed.pop(key, None) is not None

    # --- needs

    def unneeded(self, pending: Collection[int]) -> list[int]:
        """Return the services that none of the `pending` tasks needs, and that the user has not named."""
        return [
            key
            for key, service in self._services.items()
            if not service.is_selected and service.needed_by.isdisjoint(pending)
        ]
