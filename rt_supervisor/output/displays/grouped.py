"""`--output grouped`: each task's output in one piece when the task is over, for CI logs.

In GitHub Actions each piece is a group, a failure is also an annotation, and output of scripts is not interpreted as
workflow commands. Output is buffered in memory up to a limit, then in a temporary file. Everything goes to rt's stdout,
in the order it was read.
"""

from __future__ import annotations

import os

from ...vocabulary.events import Exited, RunInterrupted, StepEnded, StepSkipped, StepStarted, TaskEnded, TaskRetried
from ..drawing.outcomes import is_interruption, sentence
from ..drawing.palette import BOLD, DIM, GREEN, RED, YELLOW, Palette
from ..drawing.sanitize import Sanitizer, harmless_label
from ..drawing.spool import SlotFile, Spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...plan.model import RunPlan, Task
    from ...vocabulary.events import Event, Signaled
    from ..writer import Writer


class TaskOutput:
    """The output of one task, and how its steps ended."""

    def __init__(self, spool: Spool) -> None:
        self.spool = spool
        self.is_mid_line = False
        self.headed_step = -1
        self.seconds = 0.0
        self.saved_seconds: float | None = None
        self.failure: tuple[str, Exited | Signaled] | None = None  # name of the step, how it ended

    def add(self, data: bytes) -> None:
        self.spool.append(data)
        self.is_mid_line = not data.endswith(b"\n")

    def add_line(self, line: str) -> None:
        before = "\n" if self.is_mid_line else ""
        self.add(f"{before}{line}\n".encode())


class GroupedDisplay:
    """Shows a run task by task; see `Display` in `output.display`."""

    interval_ms: int | None = None

    def __init__(
        self,
        plan: RunPlan,
        *,
        out: Writer,
        colour: bool = False,
        is_terminal: bool = False,
        folds: bool | None = None,
    ) -> None:
        """`folds` enables GitHub's workflow commands; by default, it is whether GITHUB_ACTIONS is set."""
        self._plan = plan
        self._out = out
        self._palette = Palette(is_on=colour)
        self._is_terminal = is_terminal
        self._folds = bool(os.environ.get("GITHUB_ACTIONS")) if folds is None else folds
        self._spools = SlotFile()
        self._outputs: dict[int, TaskOutput] = {}
        self._is_interrupted = False

    def event(self, event: Event) -> None:
        match event:
            case StepStarted(task=task, step=step):
                self._output(task, step)
            case StepEnded(task=task, step=step, outcome=outcome, seconds=seconds):
                output = self._output(task, step)
                output.seconds += seconds
                if event.saved_seconds is not None:
                    output.saved_seconds = (output.saved_seconds or 0.0) + event.saved_seconds
                if outcome != Exited(0) and output.failure is None:
                    output.failure = (self._plan.tasks[task].steps[step].name, outcome)
            case TaskEnded(task=task, skipped=skipped):
                self._show(self._plan.tasks[task], self._outputs.pop(task, None), is_skipped=skipped)
            case TaskRetried(task=task, attempt=attempt):
                output = self._output(task, 0)
                output.add_line(f"attempt {attempt}")
                output.failure, output.headed_step = None, -1
            case RunInterrupted():
                self._is_interrupted = True
            case StepSkipped():
                return

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self._output(task, step).add(block)

    def drained(self, task: int, step: int, stream: int) -> None:
        return

    def tick(self, now: float) -> None:
        return

    def resized(self) -> None:
        return

    def close(self) -> None:
        for key in sorted(self._outputs):
            self._show(self._plan.tasks[key], self._outputs.pop(key), is_skipped=False)
        self._spools.close()

    def _output(self, task: int, step: int) -> TaskOutput:
        """Return the output of the task, with the step's heading in it (output can arrive before the step's start)."""
        output = self._outputs.get(task)
        if output is None:
            output = self._outputs[task] = TaskOutput(Spool(self._spools))
        if output.headed_step < step:
            output.headed_step = step
            described = self._plan.tasks[task].steps[step]
            command = self._palette.paint(harmless_label(described.command), DIM)
            output.add_line(f"{harmless_label(described.name)} $ {command}")
        return output

    def _show(self, task: Task, output: TaskOutput | None, *, is_skipped: bool) -> None:
        name = harmless_label(f"{task.package} {task.script}" if task.package else task.label)
        result, colour = self._result(output, is_skipped=is_skipped)
        if output is None:
            self._out.write(f"{self._title(name)}: {self._palette.paint(result, colour)}\n\n".encode())
            return
        if not self._folds:
            self._out.write(f"{self._title(name)}\n".encode())
            self._write_output(output)
            self._out.write(f"{self._title(name)}: {self._palette.paint(result, colour)}\n\n".encode())
            return
        token = os.urandom(16).hex()  # a script cannot guess it, and so cannot re-enable commands
        self._out.write(f"::group::{_data(f'{name}: {result}')}\n::stop-commands::{token}\n".encode())
        self._write_output(output)
        self._out.write(f"::{token}::\n::endgroup::\n".encode())
        if output.failure is not None and not is_interruption(output.failure[1]):
            step, _ = output.failure
            self._out.write(f"::error title={_property(name)}::{_data(f'{harmless_label(step)}: {result}')}\n".encode())

    def _write_output(self, output: TaskOutput) -> None:
        clean = Sanitizer() if self._is_terminal else bytes
        for block in output.spool.blocks():
            self._out.write(clean(block))
        if output.is_mid_line:
            self._out.write(b"\n")
        output.spool.discard()

    def _result(self, output: TaskOutput | None, *, is_skipped: bool) -> tuple[str, str]:
        if is_skipped:
            return "Skipped", YELLOW
        if output is None or (output.failure is None and self._is_interrupted):
            return "Interrupted", YELLOW
        if output.failure is None:
            return sentence(Exited(0), output.seconds, output.saved_seconds), GREEN
        outcome = output.failure[1]
        return sentence(outcome, output.seconds), YELLOW if is_interruption(outcome) else RED

    def _title(self, name: str) -> str:
        return self._palette.paint(name, BOLD)


def _data(text: str) -> str:
    """Return `text` as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
