"""Lines with a label in front: `--parallel`/`--sequential`, and `--filter`/`--workspaces` off a terminal.

Bytes pass through untouched but for the prefix: one `replace` a block, no decoding, no per-line work. A line that is not
yet complete is kept until it is, or, once it is long, passed through while it holds the output, so that lines of two
scripts never mix and memory stays bounded.
"""

from __future__ import annotations

from ..events import STDERR, Exited, RunInterrupted, Signaled, StepEnded, StepSkipped
from ..plan import MODE_FILTER
from ..signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..events import Event
    from ..plan import RunPlan
    from .writer import Writer

LONGEST_KEPT_LINE = 64 * 1024
_RESET = b"\x1b[0m"
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

    def __init__(
        self,
        plan: RunPlan,
        *,
        out: Writer,
        err: Writer,
        colour: bool = False,
        clean: Callable[[], Callable[[bytes], bytes]] | None = None,
    ) -> None:
        """`clean` makes, for each stream, what renders its control sequences harmless on a terminal (None: raw bytes)."""
        self._plan = plan
        self._out = out
        self._err = err
        self._colour = colour
        self._clean = clean
        self._width = max((len(task.label) for task in plan.tasks), default=0)
        self._streams: dict[tuple[int, int], LinePrefixer] = {}
        self._cleaners: dict[tuple[int, int], Callable[[bytes], bytes]] = {}
        self._steps: dict[int, int] = {}
        self.holder: tuple[int, int] | None = None

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        key = (task, stream)
        prefixer = self._streams.get(key)
        if prefixer is None:
            prefixer = self._open(task, step, stream)
        if self._clean is not None:
            block = self._cleaners[key](block)
        prefixer.feed(block)
        self.holder = key if prefixer.is_mid_line else None

    def drained(self, task: int, step: int, stream: int) -> None:
        prefixer = self._streams.pop((task, stream), None)
        if prefixer is not None:
            prefixer.flush()
            if self.holder == (task, stream):
                self.holder = None

    def event(self, event: Event) -> None:
        is_filter = self._plan.mode == MODE_FILTER
        match event:
            case StepEnded(task=task, step=step, outcome=outcome, seconds=seconds):
                text = f"Done in {duration(seconds)}"
                if outcome != Exited(0) or is_filter:
                    text = describe(outcome, is_filter=is_filter)
                self._say(task, step, text)
            case StepSkipped(task=task, step=step) if is_filter:
                self._say(task, step, "Skipped")
            case RunInterrupted():
                return

    def tick(self, now: float) -> None:
        return

    def resized(self) -> None:
        return

    def close(self) -> None:
        return

    def _say(self, task: int, step: int, text: str) -> None:
        sink = self._out if self._plan.mode == MODE_FILTER else self._err
        sink.write(self._prefix(task, step) + text.encode() + b"\n")

    def _open(self, task: int, step: int, stream: int) -> LinePrefixer:
        to_stderr = stream == STDERR and self._plan.mode != MODE_FILTER
        prefixer = LinePrefixer(self._prefix(task, step), (self._err if to_stderr else self._out).write)
        self._streams[(task, stream)] = prefixer
        if self._clean is not None:
            self._cleaners[(task, stream)] = self._clean()
        return prefixer

    def _prefix(self, key: int, step: int) -> bytes:
        task = self._plan.tasks[key]
        if self._plan.mode == MODE_FILTER:
            return f"{task.package} {task.steps[step].name}: ".encode()
        label = task.label.ljust(self._width).encode()
        if self._colour:
            return b"\x1b[%dm%s%s | " % (_PALETTE[key % len(_PALETTE)], label, _RESET)
        return label + b" | "


def describe(outcome: Exited | Signaled, *, is_filter: bool) -> str:
    """Return the words for how a process ended."""
    match outcome:
        case Exited(code):
            return f"Exited with code {code}"
        case Signaled(number):
            return f"Signaled with code {signal_name(number)}" if is_filter else f"Signaled: {signal_name(number)}"


def duration(seconds: float, space: str = "") -> str:
    """Return "12ms", or "1.23s" from a second on; `space` goes between number and unit."""
    return f"{seconds * 1000:.0f}{space}ms" if seconds < 0.9995 else f"{seconds:.2f}{space}s"
