"""`--output raw`: what scripts print, unchanged and without prefixes; only failures are named, on stderr.

If several scripts run at once, a line is written when it is complete, so that lines do not mix.
"""

from __future__ import annotations

from ...vocabulary.events import STDOUT, Exited, StepEnded, StepSkipped, TaskRetried
from ..drawing.outcomes import is_interruption, sentence
from ..drawing.sanitize import harmless_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...plan.model import RunPlan
    from ...vocabulary.events import Event
    from ..writer import Writer

_LONGEST_LINE = 64 * 1024  # a longer line is written in parts


class RawDisplay:
    """Shows a run without prefixes; `Display` in `output.display` says when each method is called."""

    interval_ms: int | None = None

    def __init__(self, plan: RunPlan, *, out: Writer, err: Writer) -> None:
        self._plan = plan
        self._writers = {STDOUT: out}
        self._err = err
        self._begun: dict[tuple[int, int, int], bytes] = {}  # lines that are not complete yet

    def event(self, event: Event) -> None:
        match event:
            case StepEnded(task=task, step=step, outcome=outcome, seconds=seconds):
                if outcome != Exited(0) and not is_interruption(outcome):
                    self._name(task, step, sentence(outcome, seconds))
            case TaskRetried(task=task, attempt=attempt):
                self._name(task, len(self._plan.tasks[task].steps) - 1, f"attempt {attempt}")
            case StepSkipped(task=task, step=step):
                self._name(task, step, "Skipped")

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        if self._plan.concurrency == 1:
            self._writer(stream).write(block)
            return
        key = (task, step, stream)
        text = self._begun.pop(key, b"") + block
        end = len(text) if len(text) > _LONGEST_LINE else text.rfind(b"\n") + 1
        if end:
            self._writer(stream).write(text[:end])
        if end < len(text):
            self._begun[key] = text[end:]

    def drained(self, task: int, step: int, stream: int) -> None:
        self._flush((task, step, stream))

    def tick(self, now: float) -> None:
        return

    def resized(self) -> None:
        return

    def close(self) -> None:
        for key in sorted(self._begun):
            self._flush(key)

    def _flush(self, key: tuple[int, int, int]) -> None:
        if (rest := self._begun.pop(key, b"")) != b"":
            self._writer(key[2]).write(rest + b"\n")

    def _writer(self, stream: int) -> Writer:
        return self._writers.get(stream, self._err)

    def _name(self, task: int, step: int, words: str) -> None:
        described = self._plan.tasks[task]
        label = f"{described.package} {described.steps[step].name}" if described.package else described.steps[step].name
        self._err.write(f"{harmless_label(label)}: {words}\n".encode())
