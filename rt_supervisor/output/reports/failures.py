"""What failed, and what did not run because of it: the last words of a run off a terminal, where nothing is redrawn.

They go to stderr, in a run that others read: where scripts of a `--filter` run were skipped for the failure of one that they
depend on, or in CI. `--parallel` and `--sequential` say in their prefixed lines what failed, and stop there. In GitHub Actions
each failure is an annotation, too. A run on a terminal has its blocks and its summary instead.
"""

from __future__ import annotations

from ...plan.model import MODE_FILTER
from ...vocabulary.events import ANOTHER_FAILED, Exited, StepEnded, StepSkipped, TaskEnded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event, Signaled
    from ..writer import Writer


class Failures:
    """An observer that writes its text when the run is over."""

    def __init__(self, plan: RunPlan, *, err: Writer, environment: Mapping[str, str]) -> None:
        self._plan = plan
        self._err = err
        self._tells_skipped = plan.mode == MODE_FILTER
        self._is_ci = bool(environment.get("CI"))
        self._annotates = bool(environment.get("GITHUB_ACTIONS"))
        self._ended: dict[int, tuple[int, Exited | Signaled]] = {}
        self._because: dict[int, str] = {}
        self._skipped: list[int] = []

    def event(self, event: Event) -> None:
        match event:
            case StepEnded(task=task, step=step, outcome=outcome) if outcome != Exited(0):
                self._ended[task] = (step, outcome)
            case StepSkipped(task=task, because=because):
                self._because[task] = because
            case TaskEnded(task=task, skipped=True):
                self._skipped.append(task)
            case TaskEnded(task=task, status=0):
                self._ended.pop(task, None)

    def close(self) -> None:
        is_wanted = (self._tells_skipped and self._skipped) or self._is_ci or self._annotates
        if not (self._ended and is_wanted):
            return
        from ..drawing.outcomes import is_interruption, sentence_of_end

        tasks = self._plan.tasks
        failed = {key: end for key, end in self._ended.items() if not is_interruption(end[1])}
        if not failed:
            return
        lines = [f"error: {len(failed)} of {len(tasks)} scripts failed"]
        for key, (step, outcome) in sorted(failed.items()):
            name = name_of(tasks[key].label, tasks[key].steps[step].name)
            lines.append(f"  {name} {sentence_of_end(outcome)}")
        for key in self._skipped:
            reason = self._because[key]
            lines.append(
                f"  {tasks[key].label} did not run, because {reason if reason == ANOTHER_FAILED else reason + ' failed'}"
            )
        if self._annotates:
            for key, (step, outcome) in sorted(failed.items()):
                name = name_of(tasks[key].label, tasks[key].steps[step].name)
                lines.append(f"::error title={_escaped(name)}::{_escaped(f'{name} {sentence_of_end(outcome)}')}")
        self._err.write(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))


def name_of(label: str, step: str) -> str:
    """A task's label, with the name of a hook where that is what failed."""
    return label if label.endswith(step) else f"{label} ({step})"


def _escaped(text: str) -> str:
    """Text as GitHub's workflow commands take it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace(":", "%3A").replace(",", "%2C")
