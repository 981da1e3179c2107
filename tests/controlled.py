"""A run of rt with a client: the test waits for states of tasks instead of reading output."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from rig import Box, wait_until

from rt_supervisor.control.client import ControlClient
from rt_supervisor.control.protocol import Output


class ControlledRun:
    """rt with `arguments`, and a client that is subscribed to its events and its output from the start."""

    def __init__(self, box: Box, *arguments: str) -> None:
        self.process = box.start(*arguments, stderr=subprocess.STDOUT)
        self.folder = await_run(box)
        self.client = ControlClient(str(self.folder), version="test")
        self.client.request("subscribe", output="all", from_offset=0)
        self.events: list[dict[str, Any]] = []
        self.output: dict[int, bytes] = {}

    def states(self) -> dict[str, str]:
        """Return the state of each task, by its label."""
        return {task["label"]: task["state"] for task in self.client.request("snapshot")["tasks"]}

    def task(self, label: str) -> dict[str, Any]:
        (found,) = (task for task in self.client.request("snapshot")["tasks"] if task["label"] == label)
        return dict(found)

    def await_states(self, **wanted: str) -> None:
        """Wait until the tasks with these labels, or with these labels and the script `dev`, are in these states."""
        found: dict[str, str] = {}

        def are_there() -> bool:
            found.update((label.removesuffix(" dev"), state) for label, state in self.states().items())
            return {label: found[label] for label in wanted} == wanted

        wait_until(are_there, lambda: f"{wanted}, but {found}")

    def await_output(self, task: int, text: bytes) -> None:
        """Receive until a task has printed `text`."""
        for item in self.client.items():
            if isinstance(item, Output):
                known = self.output.get(item.task, b"")
                assert item.offset == len(known)
                self.output[item.task] = known + item.data
            else:
                self.events.append(item)
            if text in self.output.get(task, b""):
                return
        raise AssertionError(f"the run ended before {text!r}: {self.output}")

    def end(self) -> tuple[int, str]:
        """End the run by request, and return its exit status and what it has printed."""
        self.client.request("stop-run")
        out, _ = self.process.communicate(timeout=60)
        self.client.close()
        assert not self.folder.exists()
        return self.process.returncode, out.decode()


def await_run(box: Box) -> Path:
    """Wait until the only run of `box` can be found, and return its folder."""
    wait_until(lambda: len(list(box.cache.glob("rt/runs/*/run.json"))) == 1, "a run")
    (about,) = box.cache.glob("rt/runs/*/run.json")
    return about.parent
