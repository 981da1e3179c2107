"""What the settings of a task say about its runs: attempts, time, places, restarts. Plain data and arithmetic.

`Places` counts what running tasks take of `--concurrency` and of pools; `task_runner` decides and acts.
"""

from __future__ import annotations

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..tasks.definitions import TaskSettings

_FIRST_DELAY_S = 0.1
_LONGEST_DELAY_S = 30.0
_STABLE_S = 10.0  # a service that has run for so long starts again after the first delay


SHOWN, SHOWN_AFTER_FAILURE, HIDDEN = "shown", "shown-after-failure", "hidden"
_OUTPUTS = {"hash-only": HIDDEN, "none": HIDDEN, "errors-only": SHOWN_AFTER_FAILURE}


@record
class TaskPolicy:
    """How a task runs. `timeout_s` is the limit of one attempt, None without one; a service that `restarts` does so after a failure.

    One that `is_service` takes no place, and starts again in a watched run only if it `is_interruptible`. `output` is one of
    SHOWN, SHOWN_AFTER_FAILURE and HIDDEN.
    """

    retries: int = 0
    timeout_s: float | None = None
    pool: str = ""
    weight: int = 1
    restarts: bool = False
    is_service: bool = False
    is_interruptible: bool = False
    output: str = SHOWN


def policy_of(settings: TaskSettings) -> TaskPolicy:
    """Return the policy of a task with these settings. The output of a service is shown also with "errors-only": it may run for days."""
    output = _OUTPUTS.get(settings.output_logs, SHOWN)
    return TaskPolicy(
        retries=settings.retries,
        timeout_s=settings.timeout_ms / 1000 if settings.timeout_ms else None,
        pool=settings.pool,
        weight=settings.weight,
        restarts=settings.restarts,
        is_service=settings.persistent,
        is_interruptible=settings.interruptible,
        output=SHOWN if settings.persistent and output == SHOWN_AFTER_FAILURE else output,
    )


class Places:
    """The places of a run: at most `limit` are taken at once, and of each pool at most its size.

    A task that is heavier than a limit takes all of it, and runs alone there.
    """

    def __init__(self, limit: int, *, pools: Mapping[str, int], policies: Mapping[int, TaskPolicy]) -> None:
        self._limit = limit
        self._pools = pools
        self._policies = policies
        self._taken = 0
        self._taken_of: dict[str, int] = dict.fromkeys(pools, 0)

    def has_room(self, task: int) -> bool:
        """Return whether the run has places for `task`."""
        return self._policies[task].is_service or self._taken + self._weight(task) <= self._limit

    def has_pool_room(self, task: int) -> bool:
        """Return whether the pool of `task` has places for it."""
        policy = self._policies[task]
        return not policy.pool or self._taken_of[policy.pool] + self._pool_weight(policy) <= self._pools[policy.pool]

    def take(self, task: int) -> None:
        self._change(task, 1)

    def give_back(self, task: int) -> None:
        self._change(task, -1)

    def narrow(self) -> None:
        """Allow no more than what runs now: the system refused to start another process."""
        self._limit = min(self._limit, max(1, self._taken))

    def _change(self, task: int, sign: int) -> None:
        policy = self._policies[task]
        if policy.is_service:
            return
        self._taken += sign * policy.weight
        if policy.pool:
            self._taken_of[policy.pool] += sign * self._pool_weight(policy)

    def _weight(self, task: int) -> int:
        return min(self._policies[task].weight, self._limit)

    def _pool_weight(self, policy: TaskPolicy) -> int:
        return min(policy.weight, self._pools[policy.pool])


class Backoff:
    """The delays before a failing service starts again: each is twice the one before, up to a limit."""

    def __init__(self) -> None:
        self._next_s = _FIRST_DELAY_S

    def delay_s(self, ran_s: float) -> float:
        """Return how long to wait after a failure of a service that ran for `ran_s` seconds."""
        if ran_s >= _STABLE_S:
            self._next_s = _FIRST_DELAY_S
        delay = self._next_s
        self._next_s = min(_LONGEST_DELAY_S, 2 * delay)
        return delay
