"""`--output raw`: the bytes of scripts without prefixes, lines kept whole, failures on stderr."""

from __future__ import annotations

from rt_supervisor.output.displays.raw import RawDisplay
from rt_supervisor.output.writer import Writer
from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.vocabulary.events import STDERR, STDOUT, Exited, StepEnded


def plan(concurrency: int) -> RunPlan:
    def task(key: int, name: str) -> Task:
        step = Step(name="build", command="c", argv=("c",), environment={})
        return Task(key=key, label=f"{name} build", package=name, script="build", folder="/", after=(), steps=(step,))

    return RunPlan(MODE_FILTER, (task(0, "a"), task(1, "b")), concurrency, False)


class Screen:
    def __init__(self, concurrency: int) -> None:
        self.text = {STDOUT: b"", STDERR: b""}
        self.display = RawDisplay(plan(concurrency), out=Writer(1, self._write), err=Writer(2, self._write))

    def _write(self, descriptor: int, data: bytes) -> None:
        self.text[descriptor] += data


def test_streams_stay_apart_and_unchanged() -> None:
    screen = Screen(1)
    screen.display.write(0, 0, STDOUT, b"one\r\x1b[K")
    screen.display.write(0, 0, STDERR, b"two")
    assert screen.text == {STDOUT: b"one\r\x1b[K", STDERR: b"two"}


def test_lines_of_concurrent_scripts_do_not_mix() -> None:
    screen = Screen(2)
    screen.display.write(0, 0, STDOUT, b"a1\na")
    screen.display.write(1, 0, STDOUT, b"b1\n")
    screen.display.write(0, 0, STDOUT, b"2")
    screen.display.drained(0, 0, STDOUT)
    assert screen.text[STDOUT] == b"a1\nb1\na2\n"


def test_only_failures_are_named() -> None:
    screen = Screen(2)
    for key, code in enumerate((0, 3)):
        screen.display.event(
            StepEnded(task=key, step=0, outcome=Exited(code), at=0.1, seconds=0.1, cpu_seconds=0.0, peak_bytes=0)
        )
    assert screen.text == {STDOUT: b"", STDERR: b"b build: Exited with code 3\n"}
