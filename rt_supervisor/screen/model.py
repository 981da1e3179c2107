"""The tasks of a run as the screen lists them: their states, which of them are shown, and which one is selected.

Pure data, updated from snapshots of the run (`control.run_state`); it knows nothing of terminals, keys or widgets.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

STATES = ("running", "failed", "waiting", "succeeded", "stopped", "skipped")
"""The states that the list can be limited to, in the order in which a key goes through them."""

_CPU_SECONDS = 1.0  # a share of CPU time over less is noise


class Task:
    """One task. Times are seconds after the start of the run."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        self.key: int = about["task"]
        self.label: str = about["label"]
        self.package: str = about["package"]
        self.script: str = about["script"]
        self.after: tuple[int, ...] = tuple(about["after"])
        self.url: str | None = None
        self.cpu: float | None = None  # the share of one CPU
        self.memory: int | None = None  # bytes
        self._measured: tuple[float, float] | None = None  # when, and the CPU seconds until then
        self.update(about)

    def update(self, about: Mapping[str, Any]) -> None:
        """Take over the state of a snapshot."""
        self.state: str = about["state"]
        self.pid: int | None = about["pid"]
        self.started_at: float | None = about["startedAt"]
        self.ended_at: float | None = about["endedAt"]
        self.status: int | None = about["status"]
        self.restarts: int = about["restarts"]
        self.attempt: int = about["attempt"]
        self.is_ready: bool | None = about["ready"]
        self.is_cached: bool = about["cached"]
        if self.state != "running":
            self.cpu = self.memory = self._measured = None

    def measure(self, seconds: float, memory: int, at: float) -> None:
        """Take over CPU seconds and bytes of memory of the task's processes at a time."""
        if self.state != "running":
            return
        self.memory = memory
        if self._measured is None or seconds < self._measured[1]:
            self._measured = (at, seconds)
        elif (passed := at - self._measured[0]) >= _CPU_SECONDS:
            self.cpu = (seconds - self._measured[1]) / passed
            self._measured = (at, seconds)

    def seconds(self, now: float) -> float | None:
        """Return how long the task has run, or ran."""
        if self.started_at is None:
            return None
        return max(0.0, (now if self.ended_at is None else self.ended_at) - self.started_at)

    @property
    def port(self) -> str:
        """The port of the URL that the task printed; "" if it printed none, or one without a port."""
        if self.url is None:
            return ""
        place = self.url.partition("://")[2].partition("/")[0]
        _, colon, port = place.rpartition(":")
        return port if colon and port.isdigit() else ""


class Model:
    """All tasks, in listing order, and the user's view of them."""

    def __init__(self) -> None:
        self.tasks: dict[int, Task] = {}
        self.watching: str | None = None  # "on" or "paused"
        self.text = ""  # only tasks with this text in their label are listed
        self.state: str | None = None  # only tasks in this state are listed
        self.is_grouped = False
        self.selected: int | None = None
        self.now = 0.0

    def update(self, snapshot: Mapping[str, Any]) -> None:
        """Take over a snapshot of the run."""
        self.now = snapshot["at"]
        self.watching = snapshot["watching"]
        for about in snapshot["tasks"]:
            task = self.tasks.get(about["task"])
            if task is None:
                task = self.tasks[about["task"]] = Task(about)
            else:
                task.update(about)
            if about.get("cpuSeconds") is not None:
                task.measure(about["cpuSeconds"], about["memoryBytes"], self.now)
        self._keep_selection()

    def listed(self) -> list[Task]:
        """Return the tasks that the list shows, in its order."""
        found = [
            task
            for task in self.tasks.values()
            if self.text.lower() in task.label.lower() and self.state in (None, task.state)
        ]
        if self.is_grouped:
            order = {package: place for place, package in enumerate(dict.fromkeys(task.package for task in found))}
            found.sort(key=lambda task: order[task.package])
        return found

    def rows(self) -> list[Task | str]:
        """Return the rows of the list: tasks, below the name of their package if they are grouped."""
        if not self.is_grouped:
            return list(self.listed())
        rows: list[Task | str] = []
        package = None
        for task in self.listed():
            if task.package != package:
                package = task.package
                rows.append(package)
            rows.append(task)
        return rows

    def current(self) -> Task | None:
        """Return the selected task."""
        return None if self.selected is None else self.tasks.get(self.selected)

    def move(self, by: int) -> None:
        """Select the task `by` rows further, which may be negative; stops at the ends."""
        keys = [task.key for task in self.listed()]
        if keys:
            place = keys.index(self.selected) if self.selected in keys else 0
            self.selected = keys[min(max(place + by, 0), len(keys) - 1)]

    def select_next(self, *states: str) -> bool:
        """Select the next listed task in one of `states`, after the selected one; wraps around. Returns whether there is one."""
        listed = self.listed()
        place = next((place for place, task in enumerate(listed) if task.key == self.selected), -1)
        for task in listed[place + 1 :] + listed[: place + 1]:
            if task.state in states:
                self.selected = task.key
                return True
        return False

    def show_only(self, *, text: str | None = None, state: str | None = None) -> None:
        """Limit the list to labels with a text (None: as before) and to a state (None: all)."""
        if text is not None:
            self.text = text
        self.state = state
        self._keep_selection()

    def show_next_state(self) -> None:
        """Limit the list to the next state that some task is in; after the last one, to none."""
        present = [state for state in STATES if any(task.state == state for task in self.tasks.values())]
        following = present[present.index(self.state) + 1 :] if self.state in present else present
        self.show_only(state=following[0] if following else None)

    def in_state(self, *states: str) -> list[Task]:
        """Return the tasks in one of `states`, whether they are listed or not."""
        return [task for task in self.tasks.values() if task.state in states]

    def _keep_selection(self) -> None:
        keys = [task.key for task in self.listed()]
        if keys and self.selected not in keys:
            self.selected = keys[0]
