"""`--output json`: one JSON object per line for each event and each line of output; `docs/output.md` describes them.

`event_json` and `output_json` make the objects. The stream is ASCII, with everything else escaped, so it is safe to print on a
terminal.
"""

from __future__ import annotations

import time

from ...vocabulary.events import TaskEnded
from .event_json import described, described_tasks
from .output_json import OutputLines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event
    from ..writer import Writer

FORMAT_VERSION = 1


class JsonLinesDisplay:
    """Shows a run to programs; see `Display` in `output.display`."""

    interval_ms: int | None = None

    def __init__(self, plan: RunPlan, *, out: Writer) -> None:
        self._plan = plan
        self._out = out
        self._origin = time.monotonic()
        self._lines = OutputLines()
        self._status = 0
        self._statuses: dict[int, int] = {}
        self._has_started = False

    def event(self, event: Event) -> None:
        if isinstance(event, TaskEnded):
            self._statuses[event.task] = 0 if event.was_stopped else event.status
        self._begin()
        self._write(described(event, self._plan, origin=self._origin))

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self._put(self._lines.feed(task, step, stream, block))

    def drained(self, task: int, step: int, stream: int) -> None:
        self._put(self._lines.finish(task, step, stream))

    def tick(self, now: float) -> None:
        return

    def resized(self) -> None:
        return

    def close(self) -> None:
        self._put(self._lines.finish_all())
        status = next((self._statuses[key] for key in sorted(self._statuses) if self._statuses[key]), 0)
        self._say("run-ended", time.monotonic(), status=status)

    def _put(self, lines: bytes) -> None:
        if lines:
            self._begin()
            self._out.write(lines)

    def _say(self, event: str, at: float, **fields: Any) -> None:
        self._begin()
        self._write({"event": event, **fields, "at": round(at - self._origin, 6)})

    def _write(self, said: dict[str, Any]) -> None:
        import json

        self._out.write(json.dumps(said, separators=(",", ":")).encode() + b"\n")

    def _begin(self) -> None:
        if self._has_started:
            return
        self._has_started = True
        tasks = described_tasks(self._plan)
        self._say("run-started", self._origin, formatVersion=FORMAT_VERSION, mode=self._plan.mode, tasks=tasks)
