"""Shared parts of the tests of `output`: plans built from short texts, a recording writer, and an emulated terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pyte
import pytest

from rt_supervisor.output.writer import Writer
from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.vocabulary.events import Exited, Signaled, StepEnded, StepStarted, TaskEnded

ALLOWED = re.compile(rb"\x1b\[(?:[0-9;:]*m|\d*[ABFK]|\?(?:25|7|2026)[hl])")


WELL = Exited(0)


class KeepingWriter(Writer):
    """Replaces a `Writer` and records what is written, one entry for each write."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.writes: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.writes.append(data)

    @property
    def text(self) -> str:
        return b"".join(self.writes).decode()


class Terminal(KeepingWriter):
    """A writer to a terminal emulator, whose screen and history can be read."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        super().__init__()
        self._new_screen(columns, rows)

    def _new_screen(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=1)
        self.screen.set_mode(pyte.modes.LNM)  # as the terminal driver does with program output
        self.stream = pyte.ByteStream(self.screen)

    def size(self) -> tuple[int, int]:
        return self.columns, self.rows

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.screen.resize(rows, columns)

    def write(self, data: bytes) -> None:
        super().write(data)
        assert b"\x1b" not in ALLOWED.sub(b"", data), "only what every terminal understands"
        self.stream.feed(data)

    @property
    def lines(self) -> list[str]:
        """Return the screen's lines without trailing blank ones."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip().split("\n")

    @property
    def everything(self) -> list[str]:
        """Return the lines of the history and the screen."""
        past = ["".join(line[x].data for x in range(self.columns)).rstrip() for line in self.screen.history.top]
        return past + self.lines


class Run:
    """Sends events to a display, and lets it draw after each when `now` advances."""

    def __init__(self, display: Any) -> None:
        """`display` is a display, or an object with the methods that receive events."""
        self.display = display
        self.now = 100.0

    def start(self, task: int, step: int = 0) -> None:
        self.display.event(StepStarted(task, step, 4000 + task, self.now))

    def say(self, task: int, text: bytes | str, step: int = 0, stream: int = 1) -> None:
        self.display.write(task, step, stream, text if isinstance(text, bytes) else text.encode())

    def end(
        self,
        task: int,
        outcome: Exited | Signaled = WELL,
        step: int = 0,
        *,
        last: bool = True,
        seconds: float = 0.012,
    ) -> None:
        self.display.drained(task, step, 1)
        self.display.event(StepEnded(task, step, outcome, self.now, seconds, 0.01, 12_000_000))
        if last:
            status = outcome.code if isinstance(outcome, Exited) else 128 + outcome.signal
            self.display.event(TaskEnded(task, status, False, self.now))

    def draw(self) -> None:
        """Advance the clock by two frames."""
        for _ in range(2):
            self.now += 1
            self.display.tick(self.now)


@pytest.fixture
def make_plan() -> Callable[..., RunPlan]:
    def make(*scripts: str, mode: str = MODE_FILTER, concurrency: int = 99) -> RunPlan:
        """Each script is "package" or "package<dependency,dependency"; "package+" has hooks before and after."""
        names = [re.split(r"[<+]", script)[0] for script in scripts]
        tasks = []
        for key, script in enumerate(scripts):
            name, _, after = script.partition("<")
            steps = ("prebuild", "build", "postbuild") if name.endswith("+") else ("build",)
            name = name.rstrip("+")
            tasks.append(
                Task(
                    key=key,
                    label=f"{name}:build",
                    package=name,
                    script="build",
                    folder=f"/work/{name}",
                    steps=tuple(Step(step, f"{step} {name}", ("/bin/sh", "-c", ":"), {}) for step in steps),
                    after=tuple(names.index(other) for other in after.split(",") if other),
                    why="matches *",
                )
            )
        return RunPlan(mode, tuple(tasks), concurrency, False)

    return make


@pytest.fixture
def writer() -> KeepingWriter:
    return KeepingWriter()


@pytest.fixture(scope="session")
def make_terminal() -> Callable[..., Terminal]:
    return Terminal


@pytest.fixture
def run_of() -> Callable[[object], Run]:
    return Run


MakePlan = Callable[..., RunPlan]
RunOf = Callable[[object], Run]
