"""`--output json`: one JSON object per line for each event and each line of output; `docs/output.md` describes them.

The output is lossless: `text` holds valid UTF-8, `base64` other bytes, and `partial` marks text without a newline. The
stream is ASCII, with everything else escaped, so it is safe to print on a terminal.
"""

from __future__ import annotations

import time

from ...vocabulary.events import STDOUT, TaskEnded
from .event_json import described, described_tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event
    from ..writer import Writer

FORMAT_VERSION = 1
LONGEST_TEXT = 64 * 1024  # bytes of a line per object; a longer line is split over several


class JsonLinesDisplay:
    """Shows a run to programs; see `Display` in `output.display`."""

    interval_ms: int | None = None

    def __init__(self, plan: RunPlan, *, out: Writer) -> None:
        self._plan = plan
        self._out = out
        self._origin = time.monotonic()
        self._tails: dict[tuple[int, int, int], bytes] = {}
        self._status = 0
        self._statuses: dict[int, int] = {}
        self._has_begun = False

    def event(self, event: Event) -> None:
        if isinstance(event, TaskEnded):
            self._statuses[event.task] = 0 if event.was_stopped else event.status
        self._begin()
        self._write(described(event, self._plan, origin=self._origin))

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        key = (task, step, stream)
        tail = self._tails.pop(key, b"")
        *lines, rest = (tail + block).split(b"\n")
        while len(rest) > LONGEST_TEXT:
            cut = _character_border(rest, LONGEST_TEXT)
            lines.append(rest[:cut])
            self._write_lines(key, lines, ends_partial=True)
            lines, rest = [], rest[cut:]
        if lines:
            self._write_lines(key, lines)
        if rest:
            self._tails[key] = rest

    def drained(self, task: int, step: int, stream: int) -> None:
        rest = self._tails.pop((task, step, stream), b"")
        if rest:
            self._write_lines((task, step, stream), [rest], ends_partial=True)

    def tick(self, now: float) -> None:
        return

    def resized(self) -> None:
        return

    def close(self) -> None:
        for task, step, stream in list(self._tails):
            self.drained(task, step, stream)
        status = next((self._statuses[key] for key in sorted(self._statuses) if self._statuses[key]), 0)
        self._say("run-ended", time.monotonic(), status=status)

    def _write_lines(self, key: tuple[int, int, int], lines: list[bytes], *, ends_partial: bool = False) -> None:
        """Write one object for each line; with `ends_partial`, the last line has no newline yet."""
        from json.encoder import encode_basestring_ascii as quoted

        task, step, stream = key
        self._begin()
        name = "stdout" if stream == STDOUT else "stderr"
        head = f'{{"event":"output","task":{task},"step":{step},"stream":"{name}",'
        text_head = head + '"text":'
        written = []
        for line in lines:
            try:
                written.append(f"{text_head}{quoted(line.decode())}}}\n")
            except UnicodeDecodeError:
                from binascii import b2a_base64

                written.append(f'{head}"base64":"{b2a_base64(line, newline=False).decode()}"}}\n')
        if ends_partial:
            written[-1] = written[-1][:-2] + ',"partial":true}\n'
        self._out.write("".join(written).encode())

    def _say(self, event: str, at: float, **fields: Any) -> None:
        self._begin()
        self._write({"event": event, **fields, "at": round(at - self._origin, 6)})

    def _write(self, said: dict[str, Any]) -> None:
        import json

        self._out.write(json.dumps(said, separators=(",", ":")).encode() + b"\n")

    def _begin(self) -> None:
        if self._has_begun:
            return
        self._has_begun = True
        tasks = described_tasks(self._plan)
        self._say("run-started", self._origin, formatVersion=FORMAT_VERSION, mode=self._plan.mode, tasks=tasks)


def _character_border(text: bytes, most: int) -> int:
    """Return where to cut `text`, at most at `most`, without splitting a UTF-8 character."""
    for cut in range(most, most - 4, -1):
        if text[cut] & 0xC0 != 0x80:
            return cut
    return most
