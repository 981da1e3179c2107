"""`--output json`: the output contains everything about a run."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.output.displays.json_lines import JsonLinesDisplay
from rt_supervisor.output.displays.output_json import LONGEST_TEXT
from rt_supervisor.output.writer import Writer
from rt_supervisor.vocabulary.events import Exited, RunInterrupted, Signaled, StepSkipped, TaskEnded

if TYPE_CHECKING:
    from collections.abc import Callable

    from rt_supervisor.plan.model import RunPlan

    from ..conftest import KeepingWriter, Run


def objects_of(writer: KeepingWriter) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(writer.writes).splitlines()]


def bytes_of(objects: list[dict[str, Any]], task: int, stream: str) -> bytes:
    """Reassemble a stream, as docs/output.md describes."""
    whole = b""
    for said in objects:
        if said["event"] == "output" and (said["task"], said["stream"]) == (task, stream):
            whole += base64.b64decode(said["base64"]) if "base64" in said else said["text"].encode()
            whole += b"" if said.get("partial") else b"\n"
    return whole


def test_events_in_order(
    make_plan: Callable[..., RunPlan], writer: KeepingWriter, run_of: Callable[[object], Run]
) -> None:
    display = JsonLinesDisplay(make_plan("a", "b<a"), out=writer)
    run = run_of(display)
    run.start(0)
    run.say(0, "hello\n")
    run.end(0, Signaled(15))
    display.event(StepSkipped(1, 0, "a:build"))
    display.event(TaskEnded(1, 0, True, run.now))
    display.event(RunInterrupted(2))
    display.close()
    said = objects_of(writer)
    assert [one["event"] for one in said] == [
        "run-started",
        "step-started",
        "output",
        "step-ended",
        "task-ended",
        "step-skipped",
        "task-ended",
        "interrupted",
        "run-ended",
    ]
    assert said[0]["formatVersion"] == 1
    assert said[0]["tasks"][1]["after"] == [0]
    assert said[1]["pid"] == 4000
    assert said[2] == {"event": "output", "task": 0, "step": 0, "stream": "stdout", "text": "hello"}
    assert {key: said[3][key] for key in ("outcome", "signal", "requested", "cpuSeconds", "peakBytes")} == {
        "outcome": "signaled",
        "signal": "SIGTERM",
        "requested": False,
        "cpuSeconds": 0.01,
        "peakBytes": 12_000_000,
    }
    assert said[5]["because"] == "a:build"
    assert said[-1]["status"] == 143


@pytest.mark.parametrize("outcome", [Exited(0), Exited(255)])
def test_exit_codes(
    make_plan: Callable[..., RunPlan],
    writer: KeepingWriter,
    run_of: Callable[[object], Run],
    outcome: Exited,
) -> None:
    run = run_of(JsonLinesDisplay(make_plan("a"), out=writer))
    run.start(0)
    run.end(0, outcome)
    assert objects_of(writer)[2]["code"] == outcome.code


blocks = st.lists(
    st.tuples(st.sampled_from([1, 2]), st.one_of(st.binary(max_size=9), st.just("é\n日".encode()))), max_size=12
)


@given(blocks)
def test_streams_can_be_put_together_again(blocks: list[tuple[int, bytes]]) -> None:
    from rt_supervisor.plan.model import MODE_PARALLEL, RunPlan, Step, Task

    writes: list[bytes] = []

    class Out(Writer):
        def write(self, data: bytes) -> None:
            writes.append(data)

    task = Task(0, "a", "", "a", "/", (Step("a", "a", ("a",), {}),))
    display = JsonLinesDisplay(RunPlan(MODE_PARALLEL, (task,), 1, True), out=Out(-1))
    for stream, block in blocks:
        display.write(0, 0, stream, block)
    for stream in (1, 2):
        display.drained(0, 0, stream)
    raw = b"".join(writes)
    assert raw.isascii()
    said = [json.loads(line) for line in raw.splitlines()]
    for stream, name in ((1, "stdout"), (2, "stderr")):
        assert bytes_of(said, 0, name) == b"".join(block for number, block in blocks if number == stream)


def test_long_lines_come_in_pieces_of_whole_characters(
    make_plan: Callable[..., RunPlan], writer: KeepingWriter, run_of: Callable[[object], Run]
) -> None:
    run = run_of(JsonLinesDisplay(make_plan("a"), out=writer))
    run.start(0)
    line = "日" * LONGEST_TEXT
    run.say(0, line)
    run.say(0, "\n")
    run.end(0)
    said = objects_of(writer)
    assert all(len(one.get("text", "").encode()) <= LONGEST_TEXT for one in said)
    assert not any("base64" in one for one in said)
    assert bytes_of(said, 0, "stdout").decode() == line + "\n"
