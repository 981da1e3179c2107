"""Lines with a label in front: `--parallel`/`--sequential`, and `--filter`/`--workspaces` off a terminal.

Bytes pass through untouched but for the prefix: one `replace` a block, no decoding, no per-line work. A line that is not
yet complete is kept until it is, or, once it is long, passed through while it holds the output, so that lines of two
scripts never mix and memory stays bounded.
"""

from __future__ import annotations

import os

from ...plan.model import MODE_FILTER
from ...vocabulary.events import (
    STDERR,
    Exited,
    RunInterrupted,
    RunWaits,
    Signaled,
    StepEnded,
    StepSkipped,
    TasksRestarted,
)
from ...vocabulary.signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event
    from ..drawing.sanitize import Sanitizer
    from ..writer import Writer

LONGEST_KEPT_LINE = 64 * 1024
_PALETTE = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)


class LinePrefixer:
    """One stream of one script on its way out: `prefix` in front of each of its lines."""

    def __init__(self, prefix: bytes, write: Callable[[bytes], None]) -> None:
        self._prefix = prefix
        self._between = b"\n" + prefix
        self._write = write
        self._tail = b""
        self.is_mid_line = False  # the beginning of an unfinished line has been written: the output is held

    def feed(self, block: bytes) -> None:
        """Write the lines that `block` completes; keep, or begin to stream, the line it leaves unfinished."""
        end = block.rfind(b"\n") + 1
        if end == 0:
            self._extend(block)
            return
        lines = block[: end - 1].replace(b"\n", self._between)
        head = b"" if self.is_mid_line else self._prefix
        self._write(b"".join((head, self._tail, lines, b"\n")))
        self.is_mid_line = False
        self._tail = b""
        if end < len(block):
            self._extend(block[end:])

    def _extend(self, piece: bytes) -> None:
        if self.is_mid_line:
            self._write(piece)
        elif len(self._tail) + len(piece) > LONGEST_KEPT_LINE:
            self.is_mid_line = True
            self._write(b"".join((self._prefix, self._tail, piece)))
            self._tail = b""
        else:
            self._tail += piece

    def flush(self) -> None:
        """End the unfinished line, if there is one."""
        if self.is_mid_line or self._tail:
            self.feed(b"\n")


class PrefixedDisplay:
    """Shows a run as labelled lines; `Display` in `output.display` says when each method is called."""

    interval_ms: int | None = None

    def __init__(self, plan: RunPlan, *, out: Writer, err: Writer, colour: bool = False) -> None:
        """Control sequences are removed from what goes to a terminal; what is piped is left as it is."""
        self._plan = plan
        self._out = out
        self._err = err
        self._colour = colour
        self._labels = [self._shown(out, task.label) for task in plan.tasks]
        self._width = max((self._cells(label) for label in self._labels), default=0)
        self._streams: dict[tuple[int, int], LinePrefixer] = {}
        self._cleaners: dict[tuple[int, int], Sanitizer] = {}
        self.holder: tuple[int, int] | None = None

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        key = (task, stream)
        prefixer = self._streams.get(key)
        if prefixer is None:
            prefixer = self._open(task, step, stream)
        if key in self._cleaners:
            block = self._cleaners[key](block)
        prefixer.feed(block)
        self.holder = key if prefixer.is_mid_line else None

    def drained(self, task: int, step: int, stream: int) -> None:
        prefixer = self._streams.pop((task, stream), None)
        if prefixer is not None:
            self._cleaners.pop((task, stream), None)
            prefixer.flush()
            if self.holder == (task, stream):
                self.holder = None

    def event(self, event: Event) -> None:
        is_filter = self._plan.mode == MODE_FILTER
        match event:
            case StepEnded(task=task, step=step, outcome=outcome, seconds=seconds):
                from ..drawing.outcomes import duration

                text = f"Done in {duration(seconds)}"
                if outcome != Exited(0) or is_filter:
                    text = self.words_of(outcome)
                self._say(task, step, text)
            case StepSkipped(task=task, step=step) if is_filter:
                self._say(task, step, "Skipped")
            case TasksRestarted(changed=changed) if changed:
                from ...watching.told import named

                self._err.write(os.fsencode(f"rt: {named(changed, os.getcwd())} changed\n"))
            case RunWaits() if self._err.is_terminal:
                self._err.write(b"rt: waiting for changes\n")
            case RunInterrupted():
                return

    def words_of(self, outcome: Exited | Signaled) -> str:
        """The words for how a process ended."""
        match outcome:
            case Exited(code):
                return f"Exited with code {code}"
            case Signaled(number):
                name = signal_name(number)
                return f"Signaled with code {name}" if self._plan.mode == MODE_FILTER else f"Signaled: {name}"

    def tick(self, now: float) -> None:
        return

    def resized(self) -> None:
        return

    def close(self) -> None:
        return

    def _say(self, task: int, step: int, text: str) -> None:
        sink = self._out if self._plan.mode == MODE_FILTER else self._err
        sink.write(self.prefix(task, step) + text.encode() + b"\n")

    def _open(self, task: int, step: int, stream: int) -> LinePrefixer:
        sink = self._err if stream == STDERR and self._plan.mode != MODE_FILTER else self._out
        prefixer = self._streams[(task, stream)] = LinePrefixer(self.prefix(task, step), sink.write)
        if sink.is_terminal:
            from ..drawing.sanitize import Sanitizer

            self._cleaners[(task, stream)] = Sanitizer()
        return prefixer

    def prefix(self, key: int, step: int) -> bytes:
        """What stands before each line of a step."""
        task = self._plan.tasks[key]
        if self._plan.mode == MODE_FILTER:
            return os.fsencode(self._shown(self._out, f"{task.package} {task.steps[step].name}: "))
        label = self._labels[key] + " " * (self._width - self._cells(self._labels[key]))
        if self._colour:
            return os.fsencode(f"\x1b[{_PALETTE[key % len(_PALETTE)]}m{label}\x1b[0m | ")
        return os.fsencode(f"{label} | ")

    @staticmethod
    def _shown(sink: Writer, text: str) -> str:
        if not sink.is_terminal or (text.isascii() and text.isprintable()):
            return text
        from ..drawing.sanitize import harmless_label

        return harmless_label(text)

    @staticmethod
    def _cells(text: str) -> int:
        if text.isascii():
            return len(text)
        from ..drawing.cells import width

        return width(text)
