"""What a slot of an agent does: runs one task after another with a run core and its guardian, and reports on its standard output.

The slot ends when its standard input does, and the guardian ends everything below it then, however the agent died. While a report
waits for room in the pipe, the scripts wait, too. The start of a step is reported together with what follows at once, because each read
costs the agent more than the report itself. `frames` describes the messages.
"""

from __future__ import annotations

import os
import select
import signal

from .. import _native
from ..supervising.run_stops import failure_of
from ..vocabulary.record import record
from .frames import decode_job, read_frame, write_frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..workers.client import GuardianClient
    from .frames import Job

_INPUT, _OUTPUT = 0, 1
_TOGETHER_S = 0.005  # how long the report of a start waits for others


@record
class PreparedTask:
    """A plan of one task as a record for the run core (`plan.run_record`). One that `has_programs` has source files as steps."""

    record: bytes
    has_programs: bool


class SlotEnded(Exception):
    """The agent has closed the slot's input, or the slot received a signal to end."""


class SlotExecution:
    """The slot of this process. `prepare` returns what a job in a tree, whose path it gets, runs; `start_guardian` starts the guardian."""

    def __init__(
        self, prepare: Callable[[Job, str], PreparedTask], start_guardian: Callable[[PreparedTask], GuardianClient]
    ) -> None:
        self._prepare = prepare
        self._start_guardian = start_guardian
        self._core: _native.RunCore | None = None
        self._reports: list[tuple[object, ...]] = []
        self._output = os.dup(_OUTPUT)
        os.dup2(2, _OUTPUT)  # nothing else may write between the messages

    def serve(self) -> None:
        """Run jobs until the input ends."""
        try:
            while (message := read_frame(_INPUT)) is not None:
                if message[0] == "run":
                    self._run(decode_job(message[1]), message[2])
        except (SlotEnded, BrokenPipeError):
            return
        finally:
            if self._core is not None:
                self._core.close()

    def _run(self, job: Job, tree: str) -> None:
        from ..vocabulary.errors import Failed

        try:
            self._start(job, tree)
            while not self._take_turn():
                continue
        except Failed as failed:
            self._report("refused", failed.failure.message)
            self._send()
        except _native.RunStopped as stopped:
            failed_run = failure_of(stopped)
            if failed_run is not None:
                self._report("refused", failed_run.failure.message)
                self._send()
            raise SlotEnded from stopped  # the core is of no more use

    def _start(self, job: Job, tree: str) -> None:
        self._ended: tuple[object, ...] | None = None
        self._started = -1
        self._early: list[tuple[int, int, bytes]] = []
        task = self._prepare(job, tree)
        if self._core is None:
            guardian, channel, mark = self._start_guardian(task).hand_over()
            self._core = _native.RunCore(
                task.record,
                guardian=guardian,
                channel=channel,
                mark=mark,
                prints=False,
                lists_failures=False,
                is_watched=False,
                is_driven=True,
            )
            self._core.begin()
        else:
            self._core.restart([0], task.record, signal.SIGTERM, job.grace_s)
        self._core.start(0)

    def _take_turn(self) -> bool:
        """Wait until something happens, and report it. Return whether the task has ended."""
        core = self._core
        assert core is not None
        has_ended, waits = False, not self._reports
        for event in core.turn(None if waits else _TOGETHER_S, _INPUT):
            waits = waits and event[0] == "started"
            match event:
                case ("started", _, step, _, _):
                    if self._ended is not None:
                        self._report("step", *self._ended)
                    self._report("started", step)
                    self._started = step
                    early, self._early = self._early, []
                    for output in early:
                        self._report("output", *output)
                case ("output", _, step, stream, block):
                    if step == self._started:
                        self._report("output", step, stream, block)
                    else:  # the step was faster than the guardian's report of its start
                        self._early.append((step, stream, block))
                case ("ended", _, step, code, number, _, _, seconds, cpu_seconds, peak_bytes):
                    self._ended = (step, code, number, seconds, cpu_seconds, peak_bytes)
                case ("task-ended", _, _, _, _):
                    has_ended = True
        if has_ended and self._ended is not None:
            if not core.is_open:
                raise SlotEnded
            self._report("ended", *self._ended)
            self._send()
            return True
        if not waits:
            self._send()
        self._take_orders(core)
        return False

    def _take_orders(self, core: _native.RunCore) -> None:
        waiting = select.poll()
        waiting.register(_INPUT, select.POLLIN | select.POLLHUP)
        if not waiting.poll(0):
            return
        match read_frame(_INPUT):
            case ("end", number, grace_s):
                core.end(0, number, grace_s)
            case None:
                raise SlotEnded

    def _report(self, *message: object) -> None:
        """Add a message to those that `_send` writes."""
        self._reports.append(message)

    def _send(self) -> None:
        if self._reports:
            reports, self._reports = self._reports, []
            write_frames(self._output, reports)
