"""`rt ps`: the runs of this user that serve a socket, with the number of their tasks in each state."""

from __future__ import annotations

import json
import os
import time

from ... import __version__
from ...control.client import ControlClient
from ...control.runs import living_runs
from ...output.drawing.sanitize import harmless_text
from ...vocabulary.errors import Failed
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..line.command_words import CommandWords

_HEADINGS = ("RUN", "PID", "AGE", "TASKS", "COMMAND", "FOLDER")
_STATES = ("running", "waiting", "succeeded", "failed", "stopped", "skipped")


def list_runs(given: CommandWords) -> int:
    """Print the runs, oldest first. Raises Failed."""
    runs = [{**about, "tasks": _counts(folder)} for folder, about in living_runs()]
    if given.has("json"):
        write(1, json.dumps(runs) + "\n")
        return 0
    if not runs:
        write(1, "no run can be controlled: runs with --detach, --watch or --ui=tui can\n")
        return 0
    rows = [_HEADINGS, *map(_row, runs)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEADINGS) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        write(1, "  ".join((*cells, row[-1])).rstrip() + "\n")
    return 0


def _counts(folder: str) -> dict[str, int] | None:
    """Return how many tasks of a run are in each state; None if it does not answer."""
    try:
        client = ControlClient(folder, version=__version__)
        tasks = client.request("snapshot")["tasks"]
    except Failed:
        return None
    client.close()
    counts = {state: sum(task["state"] == state for task in tasks) for state in _STATES}
    return {state: count for state, count in counts.items() if count}


def _row(run: dict[str, Any]) -> tuple[str, ...]:
    counts = run["tasks"]
    tasks = "does not answer" if counts is None else ", ".join(f"{count} {state}" for state, count in counts.items())
    folder = str(run.get("folder", ""))
    home = os.path.expanduser("~")
    if folder == home or folder.startswith(home + os.sep):
        folder = "~" + folder[len(home) :]
    command = " ".join(map(str, run.get("command", ())))
    age = _age(time.time() - float(run.get("startedAt", 0)))
    cells = (str(run.get("id")), str(run.get("pid")), age, tasks, command, folder)
    return tuple(harmless_text(cell) for cell in cells)


def _age(seconds: float) -> str:
    """Return "12s", "3m", "5h" or "2d"."""
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds // size:.0f}{unit}"
    return f"{max(0.0, seconds):.0f}s"
