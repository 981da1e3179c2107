"""The identities of the spans of a run, decided before it starts, so that scripts get that of their task in `TRACEPARENT`.

A script that sends spans itself thus adds them below the span of its task. The format is that of the W3C's Trace Context.
"""

from __future__ import annotations

import os
import re

from ...vocabulary.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...plan.model import RunPlan, Step, Task

VARIABLE = "TRACEPARENT"
_PARENT = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})")
_SAMPLED = "01"


class TraceParents:
    """The trace of a run, which is that of `environment` if it names one, and the span of each task."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        outer = _PARENT.fullmatch(environment.get(VARIABLE, ""))
        self._trace = outer[1] if outer else os.urandom(16).hex()
        self._flags = outer[2] if outer else _SAMPLED
        self._spans: dict[int, str] = {}

    @property
    def trace_id(self) -> int:
        return int(self._trace, 16)

    def span_id(self, task: int) -> int:
        return int(self._span(task), 16)

    def in_environment(self, plan: RunPlan) -> RunPlan:
        """Return `plan` with the span of its task in the environment of each script."""
        changed: RunPlan = replace(plan, tasks=tuple(map(self.in_environment_of, plan.tasks)))
        return changed

    def in_environment_of(self, task: Task) -> Task:
        """Return `task` with its span in the environment of each of its scripts."""
        own = {VARIABLE: f"00-{self._trace}-{self._span(task.key)}-{self._flags}"}
        changed: Task = replace(task, steps=tuple(_with(step, own) for step in task.steps))
        return changed

    def _span(self, task: int) -> str:
        return self._spans.setdefault(task, os.urandom(8).hex())


def _with(step: Step, own: Mapping[str, str]) -> Step:
    changed: Step = replace(step, environment={**step.environment, **own}, variables={**step.variables, **own})
    return changed
