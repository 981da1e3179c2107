"""`--trace FILE`: the run in the Chrome trace format, for chrome://tracing, Perfetto and speedscope.

Each machine is a process of the format: this one, and the agents of a cluster. A lane is a slot of a machine: a task takes the first one that
is free when it starts, and its steps and attempts are inside it. CPU time and memory of a step are those of its process and of the
children it waited for. The processes that `process_samples` has seen are inside the step, each in its parent; what runs beside another
process gets a lane below that of the slot.
"""

from __future__ import annotations

import os

from ...vocabulary.events import StepEnded, StepStarted, TaskAssigned, TaskEnded, TaskRetried

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event
    from .process_samples import ProcessSamples, SampledProcess

_HERE = ""  # stands for this machine among the names of agents
_US = 1_000_000
_LANES_OF_SLOT = 1000  # numbers of lanes from one row of processes of a slot to the next


class Trace:
    """An observer that collects the entries of a trace. Times are microseconds since `begun_at` (monotonic seconds)."""

    def __init__(self, plan: RunPlan, *, begun_at: float, samples: ProcessSamples | None = None) -> None:
        """`samples` has the processes of each step when it ends."""
        self._plan = plan
        self._samples = samples
        self._rows: dict[tuple[str, int], int] = {}  # of processes, below the lane of a machine
        self._begun_at = begun_at
        self._lanes: dict[str, list[int | None]] = {_HERE: []}  # by machine: the task in each lane
        self._assigned: dict[int, str] = {}  # the agents of the tasks that run there
        self._task_begun: dict[int, float] = {}
        self._step_begun: dict[tuple[int, int], tuple[float, int]] = {}  # the start of a step, and its pid
        self._attempts: dict[int, int] = {}
        self._is_cached: dict[int, bool] = {}
        self._entries: list[dict[str, Any]] = []

    def event(self, event: Event) -> None:
        match event:
            case StepStarted(task=task, step=step, pid=pid, at=at):
                if task not in self._task_begun:
                    self._task_begun[task] = at
                    self._take_lane(task)
                self._step_begun[task, step] = (at, pid)
            case StepEnded(task=task, step=step):
                self._end_step(event)
            case TaskAssigned(task=task, agent=agent):
                self._assign(task, agent)
            case TaskRetried(task=task, attempt=attempt):
                self._attempts[task] = attempt
            case TaskEnded(skipped=False):
                self._end_task(event)

    def close(self) -> None:
        return

    def document(self) -> dict[str, Any]:
        """Return the trace: one object with the entries, as the format's specification describes it."""
        names: list[dict[str, Any]] = []
        for number, (machine, lanes) in enumerate(self._lanes.items(), 1):
            about = {"name": machine or "rt run"}
            names.append({"name": "process_name", "ph": "M", "pid": number, "args": about})
            for lane in range(len(lanes)):
                names += _lane_names(number, lane, f"slot {lane + 1}", lane * _LANES_OF_SLOT)
                for row in range(1, self._rows.get((machine, lane), 0) + 1):
                    title = f"slot {lane + 1}, processes {row}"
                    names += _lane_names(number, lane + row * _LANES_OF_SLOT, title, lane * _LANES_OF_SLOT + row)
        return {"displayTimeUnit": "ms", "traceEvents": [*names, *self._entries]}

    def _assign(self, task: int, agent: str) -> None:
        """Move a task to a lane of `agent`. What ran of it elsewhere ends there."""
        is_running = task in self._task_begun
        if is_running:
            self._leave_lane(task)
        self._assigned[task] = agent
        if is_running:
            self._take_lane(task)

    def _take_lane(self, task: int) -> None:
        lanes = self._lanes.setdefault(self._assigned.get(task, _HERE), [])
        if None in lanes:
            lanes[lanes.index(None)] = task
        else:
            lanes.append(task)

    def _leave_lane(self, task: int) -> None:
        lanes = self._lanes[self._assigned.get(task, _HERE)]
        lanes[lanes.index(task)] = None

    def _end_step(self, event: StepEnded) -> None:
        from ..drawing.outcomes import as_json

        task, step = event.task, event.step
        at, pid = self._step_begun.pop((task, step), (event.at, 0))
        described = self._plan.tasks[task].steps[step]
        about: dict[str, Any] = {"command": described.command, **as_json(event.outcome)}
        if event.saved_seconds is not None:
            self._is_cached[task] = True
            about["savedSeconds"] = round(event.saved_seconds, 6)
        else:
            about |= {"pid": pid, "cpuSeconds": round(event.cpu_seconds, 6), "peakBytes": event.peak_bytes}
        if task in self._attempts:
            about["attempt"] = self._attempts[task]
        self._add(task, described.name, "step", at, event.at, about)
        if self._samples is not None:
            self._add_processes(task, self._samples.take(task, step, begun_at=at, ended_at=event.at))

    def _add_processes(self, task: int, processes: list[SampledProcess]) -> None:
        """Add the processes of a step, in the order of their starts: each in the row of its parent, or in the next one in which it
        overlaps only processes that it is inside of.
        """
        rows: list[list[SampledProcess]] = [[]]
        row_of: dict[int, int] = {}
        above: dict[int, set[int]] = {}  # the ancestors of each process
        for process in processes:
            above[process.pid] = {process.parent, *above.get(process.parent, ())}
            row = row_of.get(process.parent, 0)
            while row < len(rows) and not all(_has_room(other, process, above[process.pid]) for other in rows[row]):
                row += 1
            if row == len(rows):
                rows.append([])
            rows[row].append(process)
            row_of[process.pid] = row
            about = {
                "pid": process.pid,
                "parent": process.parent,
                "cpuSeconds": round(process.cpu_seconds, 6),
                "peakBytes": process.peak_bytes,
            }
            for number, (at, words) in enumerate(process.images):
                more = {"command": " ".join(words), **(about if number == 0 else {"pid": process.pid})}
                category = "exec" if number else "process"
                self._add(task, os.path.basename(words[0]), category, at, process.ended_at, more, row=row)
        machine = self._assigned.get(task, _HERE)
        place = (machine, self._lanes[machine].index(task))
        self._rows[place] = max(self._rows.get(place, 0), len(rows) - 1)

    def _end_task(self, event: TaskEnded) -> None:
        task = event.task
        begun = self._task_begun.pop(task, None)
        if begun is None:
            return
        about: dict[str, Any] = {"status": event.status, "cached": self._is_cached.pop(task, False)}
        if event.has_timed_out:
            about["timedOut"] = True
        self._add(task, self._plan.tasks[task].label, "task", begun, event.at, about)
        self._attempts.pop(task, None)
        self._leave_lane(task)
        self._assigned.pop(task, None)

    def _add(
        self, task: int, name: str, category: str, begun: float, ended: float, about: dict[str, Any], *, row: int = 0
    ) -> None:
        machine = self._assigned.get(task, _HERE)
        start, end = round((begun - self._begun_at) * _US), round((ended - self._begun_at) * _US)
        self._entries.append(
            {
                "name": name,
                "cat": category,
                "ph": "X",
                "ts": start,
                "dur": max(0, end - start),
                "pid": list(self._lanes).index(machine) + 1,
                "tid": self._lanes[machine].index(task) + row * _LANES_OF_SLOT,
                "args": about,
            }
        )


def _has_room(other: SampledProcess, process: SampledProcess, above: set[int]) -> bool:
    """Return whether `process`, whose ancestors are `above`, is after `other`, which began before it, or inside of it."""
    is_inside = other.pid in above and process.ended_at <= other.ended_at
    return is_inside or other.ended_at <= process.begun_at


def _lane_names(machine: int, lane: int, title: str, place: int) -> list[dict[str, Any]]:
    """Return the entries that name a lane and give it its `place` among the others."""
    about = {"ph": "M", "pid": machine, "tid": lane}
    return [
        {"name": "thread_name", **about, "args": {"name": title}},
        {"name": "thread_sort_index", **about, "args": {"sort_index": place}},
    ]
