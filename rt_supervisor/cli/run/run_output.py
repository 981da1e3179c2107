"""`rt logs` and `rt attach`: the output of a running run in another terminal, as it is or with prefixes, or as JSON."""

from __future__ import annotations

import json
import os
import signal

from ... import __version__
from ...control.client import ControlClient
from ...control.protocol import Output
from ...output.drawing.sanitize import Sanitizer, harmless_label
from ...vocabulary.errors import Failed
from ...workers.signals import SIGINT, die_of
from ..colours import wants_colour
from ..streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..line.command_words import CommandWords

ATTACHED_LINES = 10  # of each task, which `attach` shows first
_EVERYTHING = 1 << 30


def print_logs(folder: str, tasks: Sequence[str], given: CommandWords) -> int:
    """Print what `tasks` (all: none) of the run in `folder` have printed, and with --follow what they print until the run ends."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        show = _Show(folder, tasks, is_json=given.has("json"), lines=given.number("lines"))
        show.print_backlog()
        if given.has("follow"):
            show.follow()
    except KeyboardInterrupt:
        die_of(SIGINT)
    return 0


def attach(folder: str, given: CommandWords) -> int:
    """Show the run in `folder` until it ends, and return its exit status; 0 after Ctrl-C, which leaves it running."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        show = _Show(folder, (), is_json=given.has("json"), lines=ATTACHED_LINES, shows_events=True)
        show.print_backlog()
        return show.follow()
    except KeyboardInterrupt:
        say(f"run {show.run_id} continues")
        return 0


class _Show:
    """The output of one run. The backlog comes task by task, further output as it arrives."""

    def __init__(
        self, folder: str, tasks: Sequence[str], *, is_json: bool, lines: int | None, shows_events: bool = False
    ) -> None:
        self._folder = folder
        self._tasks = list(tasks)
        self._is_json = is_json
        self._lines = lines
        self._shows_events = shows_events
        self._connect()

    def _connect(self) -> None:
        self._client = ControlClient(self._folder, version=__version__)
        self.run_id = self._client.run.get("id")
        reply = self._client.request("subscribe", output=self._tasks or "all", last_bytes=_EVERYTHING)
        self._left = {each["task"]: each["end"] for each in reply["output"] if each["from"] < each["end"]}
        labels = {task["task"]: task["label"] for task in self._client.request("snapshot")["tasks"]}
        self._labels = labels
        shown = [each["task"] for each in reply["output"]]
        self._printer: _JsonPrinter | _LinePrinter = (
            _JsonPrinter()
            if self._is_json
            else _LinePrinter(labels, has_prefixes=len(shown) != 1 or self._shows_events)
        )

    def print_backlog(self) -> None:
        """Print the output so far, or its last lines."""
        kept: dict[int, list[Output]] = {}
        for item in self._items() if self._left else ():
            if isinstance(item, Output):
                kept.setdefault(item.task, []).append(item)
                if item.offset + len(item.data) >= self._left.get(item.task, _EVERYTHING):
                    self._left.pop(item.task)
                    for output in _last_lines(kept.pop(item.task), self._lines):
                        self._printer.output(output)
            if not self._left:
                break
        self._printer.flush()

    def follow(self) -> int:
        """Print what arrives until the run ends, and return its exit status."""
        for item in self._items():
            if isinstance(item, Output):
                self._printer.output(item)
            elif item.get("type") == "skipped":
                self._printer.skipped(item)
            elif item.get("type") == "event" and (self._shows_events or self._is_json):
                self._printer.event(item)
            elif item.get("type") == "ended":
                self._printer.flush()
                if not item.get("replaced"):
                    return int(item.get("status", 0))
                self._lines = None  # another plan runs in place of this one, and has printed nothing before
                self._connect()
                self.print_backlog()
                return self.follow()
        raise Failed("run-ended", "the run has ended")

    def _items(self) -> Iterator[dict[str, Any] | Output]:
        return self._client.items()


def _last_lines(outputs: list[Output], count: int | None) -> list[Output]:
    """Return the last `count` lines of consecutive pieces of output, all for None. An unfinished line counts as one."""
    if count is None:
        return outputs
    left = count
    kept: list[Output] = []
    is_last = True
    for output in reversed(outputs):
        end = len(output.data) - 1 if is_last and output.data.endswith(b"\n") else len(output.data)
        is_last = False
        at = end
        while left > 0 and (at := output.data.rfind(b"\n", 0, at)) >= 0:
            left -= 1
        if left <= 0:
            start = at + 1 if count else len(output.data)
            kept.append(Output(output.task, output.step, output.stream, output.offset + start, output.data[start:]))
            break
        kept.append(output)
    return kept[::-1]


class _JsonPrinter:
    """Prints the objects of `--output json`."""

    def __init__(self) -> None:
        from ...output.displays.output_json import OutputLines

        self._lines = OutputLines()

    def output(self, output: Output) -> None:
        _write(1, self._lines.feed(output.task, output.step, output.stream, output.data))

    def event(self, event: dict[str, Any]) -> None:
        shown = {name: value for name, value in event.items() if name != "type"}
        _write(1, json.dumps(shown, separators=(",", ":")).encode() + b"\n")

    def skipped(self, message: dict[str, Any]) -> None:
        shown = {"event": "output-skipped", "task": message["task"], "bytes": message["bytes"]}
        _write(1, json.dumps(shown, separators=(",", ":")).encode() + b"\n")

    def flush(self) -> None:
        _write(1, self._lines.finish_all())


class _LinePrinter:
    """Prints lines, each with the label of its task, or the bytes of a single task as they are. On a terminal, control sequences
    other than colours are removed.
    """

    def __init__(self, labels: dict[int, str], *, has_prefixes: bool) -> None:
        self._labels = {key: harmless_label(label) for key, label in labels.items()}
        self._width = max(map(len, self._labels.values()), default=0)
        self._has_prefixes = has_prefixes
        self._has_colour = wants_colour(1, os.environ)
        self._begun: dict[tuple[int, int], bytes] = {}  # the unfinished line of each task and stream
        self._cleaners: dict[tuple[int, int], Sanitizer] = {}

    def output(self, output: Output) -> None:
        source = (output.task, output.stream)
        data = output.data
        if os.isatty(output.stream):
            data = self._cleaners.setdefault(source, Sanitizer())(data)
        if not self._has_prefixes:
            _write(output.stream, data)
            return
        *lines, rest = (self._begun.pop(source, b"") + data).split(b"\n")
        if rest:
            self._begun[source] = rest
        prefix = self._prefix(output.task)
        _write(output.stream, b"".join(prefix + line + b"\n" for line in lines))

    def event(self, event: dict[str, Any]) -> None:
        match event:
            case {"event": "step-ended", "outcome": "exited", "code": code}:
                self._say(event, f"Exited with code {code}")
            case {"event": "step-ended", "signal": name}:
                self._say(event, f"Signaled with code {name}")
            case {"event": "step-skipped"}:
                self._say(event, "Skipped")
            case {"event": "tasks-restarted", "changed": [first, *others]}:
                more = f" and {len(others)} more files" if others else ""
                _write(2, os.fsencode(f"rt: {harmless_label(first)}{more} changed\n"))

    def skipped(self, message: dict[str, Any]) -> None:
        self._say(message, f"({message['bytes']} bytes are not shown: this terminal is too slow)")

    def flush(self) -> None:
        """End the lines that are unfinished."""
        for (task, stream), rest in self._begun.items():
            _write(stream, self._prefix(task) + rest + b"\n")
        self._begun.clear()

    def _say(self, about: dict[str, Any], text: str) -> None:
        _write(1, self._prefix(about["task"]) + text.encode() + b"\n")

    def _prefix(self, task: int) -> bytes:
        label = self._labels[task].ljust(self._width)
        return os.fsencode(f"\x1b[36m{label}\x1b[0m | " if self._has_colour else f"{label} | ")


def _write(descriptor: int, data: bytes) -> None:
    from ...output.writer import write_all

    if data:
        write_all(descriptor, data)
