"""Carries out a plan: starts tasks through the guardian as `schedule` allows, feeds what they print to the display, ends
everything on a failure, a signal or a closed output.

One thread, one poll. It decides nothing about order (`schedule`), prints nothing (`output`) and starts no process itself
(`workers`). Only monotonic clocks count.
"""

from __future__ import annotations

import os
import select
import time

from ..output.writer import OutputAbandoned, OutputClosed
from ..plan.model import MODE_FILTER
from ..vocabulary import protocol
from ..vocabulary.errors import Failed
from ..vocabulary.events import (
    ANOTHER_FAILED,
    STDERR,
    Exited,
    RunInterrupted,
    RunWaits,
    Signaled,
    StepEnded,
    StepSkipped,
    StepStarted,
    TaskEnded,
    TasksRestarted,
)
from ..workers import signals
from ..workers.outcomes import DESCRIPTOR_LIMIT, GUARDIAN_LOST, GUARDIAN_UNANSWERED, decode_status, refusal
from ..workers.streams import ScriptStreams
from .open_streams import HELD_PIPE_MS, OpenStreams
from .run_life import RunLife
from .run_signals import RunSignals
from .schedule import Schedule
from .task_run import TaskRun
from .watched_run import RunResult, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..output.display import Display
    from ..output.writer import Writer
    from ..plan.model import RunPlan
    from ..vocabulary.events import Event
    from ..watching.listening import Listening
    from .guarding import Guarding
    from .rerun import Rerun, Stale

CLOSED_OUTPUT_GRACE_S = 0.05


class Supervisor:
    """One multi-script run."""

    def __init__(
        self,
        plan: RunPlan,
        display: Display,
        *,
        client: Guarding,
        writers: Sequence[Writer],
        grace_s: float,
        watch: Watch | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`writers` are what the display writes to: a signal that arrives during a blocked write is acted on at once.

        With `watch`, what becomes stale runs again until rt is told to end. `clock` counts seconds and never goes back.
        """
        self._plan = plan
        self._display = display
        self._client = client
        self._writers = writers
        self._grace_s = grace_s
        self._clock = clock
        self._life = RunLife(grace_s=grace_s)
        self._schedule = Schedule(plan)
        self._watch = watch
        self._rerun: Rerun | None = None  # with `watch`, from the first start on; `_listening` likewise
        self._listening: Listening
        self._has_told_waiting = False
        self._next_plan: RunPlan | None = None
        self._runs: dict[int, TaskRun] = {}
        self._poll = select.poll()
        self._streams = OpenStreams(self._poll, display)
        self._signals = RunSignals(writers, act=self._act_on_signals)
        self._untold: list[Event] = []  # the display is told of signals between writes, not during one
        self._null = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)

    # --- the loop

    def run(self) -> RunResult:
        """Run the plan to its end; nothing of it is left when this returns or raises. Raises Failed."""
        died_of: int | None = None
        try:
            self._signals.listen()
            self._poll.register(self._client.fileno(), select.POLLIN)
            self._poll.register(self._signals.fileno(), select.POLLIN)
            for writer in self._writers:
                self._poll.register(writer.descriptor, 0)  # reports only that the reader is gone
            self._loop()
        except OutputClosed as closed:
            died_of = _signal_of(closed)
            self._end_for_want_of_output(died_of)
        except OutputAbandoned:
            pass
        finally:
            self._signals.close()
            self._client.close()
            if self._rerun is not None:
                self._rerun.close()
            died_of = self._close_display() or died_of
        return RunResult(self._schedule.exit_status(), self._life.signal or died_of, self._next_plan)

    def _close_display(self) -> int | None:
        """Have the display finish, also when the run failed; return SIGPIPE when nobody reads it any more."""
        try:
            self._display.close()
        except OutputClosed as closed:
            return _signal_of(closed)
        return None

    def _loop(self) -> None:
        self._start_ready()
        if self._watch is not None:
            self._begin_to_watch(self._watch)
        outputs = {writer.descriptor: writer for writer in self._writers}
        while not self._schedule.is_finished or self._is_watching:
            if self._rerun is not None and self._is_watching:
                self._look_for_changes(self._rerun)
            if self._schedule.is_finished and not self._is_watching:
                break  # another plan is to be run, and nothing is left to wait for
            ready = self._poll.poll(self._timeout_ms())
            for descriptor, happened in ready:
                if descriptor in self._streams:
                    self._read(descriptor)
                elif descriptor == self._client.fileno():
                    self._take_reports()
                elif descriptor == self._signals.fileno():
                    self._signals.clear()
                elif descriptor in outputs and happened & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
                    raise OutputClosed(outputs[descriptor])
            self._act_on_signals()
            while self._untold:
                self._tell(self._untold.pop(0))
            now = self._clock()
            self._act_on_time(now)
            if self._signals.take_resize():
                self._display.resized()
            self._display.tick(now)
            self._streams.listen()

    def _timeout_ms(self) -> float | None:
        now = self._clock()
        moments = [run.deadline for run in self._runs.values() if run.deadline is not None]
        if self._life.deadline is not None:
            moments.append(self._life.deadline)
        waits = [max(0.0, moment - now) * 1000 for moment in moments]
        if self._display.interval_ms is not None:
            waits.append(self._display.interval_ms)
        if self._rerun is not None and (until := self._rerun.timeout_s) is not None:
            waits.append(until * 1000)
        return min(waits) if waits else None

    # --- running again

    @property
    def _is_watching(self) -> bool:
        return self._watch is not None and self._life.state == "running"

    def _begin_to_watch(self, watch: Watch) -> None:
        from ..watching.listening import Listening

        self._listening = Listening(
            add=lambda descriptor: self._poll.register(descriptor, select.POLLIN), remove=self._poll.unregister
        )
        self._rerun = watch.make_rerun()

    def _look_for_changes(self, rerun: Rerun) -> None:
        """Have what has become stale run again; say so when nothing is left to do but wait."""
        stale = rerun.take(self._schedule.running)
        if stale is not None:
            self._restart(stale)
        self._listening.follow(rerun.fileno())
        is_idle = self._schedule.is_finished
        if is_idle and not self._has_told_waiting:
            self._tell(RunWaits())
        self._has_told_waiting = is_idle

    def _restart(self, stale: Stale) -> None:
        if stale.is_other:  # this run ends, and another one begins
            self._next_plan = stale.plan
            self._life.leave()
            self._schedule.stop()
            self._leave(list(self._schedule.running))
            return
        if stale.plan is not None:
            self._plan = stale.plan
        leaving, again = self._schedule.restart(stale.tasks)
        self._tell(TasksRestarted((*leaving, *again), stale.changed))
        self._leave(leaving)
        self._start_ready()

    def _leave(self, keys: Sequence[int]) -> None:
        """Have the running tasks `keys` end, to be run again or not."""
        assert self._watch is not None
        for key in keys:
            run = self._runs[key]
            run.leave(by=self._clock() + self._watch.grace_s)
            self._client.signal(self._watch.kill_signal, key)

    # --- starting and ending

    def _start_ready(self) -> None:
        for key in self._schedule.take_ready():
            run = self._runs[key] = TaskRun(self._plan.tasks[key])
            self._start_step(run)

    def _start_step(self, run: TaskRun) -> None:
        task = run.task
        try:
            streams = ScriptStreams(joined=self._plan.mode == MODE_FILTER)
        except OSError as error:
            self._refused(run, error.errno or 0, error.strerror or "", None)
            return
        run.order(streams)
        descriptors = (self._null, *streams.script_ends)
        self._client.start(task.key, task.steps[run.step], folder=task.folder, descriptors=descriptors)
        streams.close_script_ends()
        self._streams.open(run)

    def _take_reports(self) -> None:
        for message in self._client.receive():
            match message:
                case (protocol.STARTED, key, pid, _):
                    run = self._runs[key]
                    run.started(self._clock())
                    self._tell(StepStarted(key, run.step, pid, run.started_at))
                case (protocol.REFUSED, key, number, words, path):
                    run = self._runs[key]
                    self._streams.close(run)
                    self._refused(run, number, words, path)
                case (protocol.ENDED, key, status, cpu_seconds, peak_bytes):
                    run = self._runs[key]
                    run.ended(status, cpu_seconds, peak_bytes, drain_by=self._clock() + HELD_PIPE_MS / 1000)
                    self._end_step_if_over(run)
        if self._client.lost:
            self._client.kill_everything()
            raise Failed("guardian-lost", GUARDIAN_LOST)

    def _refused(self, run: TaskRun, number: int, words: str, path: str | None) -> None:
        """The system would not start a process: wait for others to end where a limit is to blame, else give up."""
        import errno

        others = len(self._runs) > 1
        if number in (errno.EAGAIN, errno.EMFILE, errno.ENFILE) and others and run.step == 0:
            del self._runs[run.task.key]
            self._schedule.put_back(run.task.key)
            return
        if self._is_watching and number == errno.ENOENT and not os.path.isdir(run.task.folder):
            self._end_without_folder(run)
            return
        if number in (errno.EMFILE, errno.ENFILE):
            raise Failed("descriptor-limit", DESCRIPTOR_LIMIT)
        raise refusal(number, words, path)

    def _end_without_folder(self, run: TaskRun) -> None:
        """The package was deleted, as when a branch is changed: its script has failed, until a change starts it again."""
        now = self._clock()
        run.started(now)
        self._tell(StepStarted(run.task.key, run.step, 0, now))
        reason = f"error: cannot start: {run.task.folder} is gone\n"
        self._display.write(run.task.key, run.step, STDERR, os.fsencode(reason))
        run.ended(1 << 8, 0.0, 0, drain_by=now)
        self._end_step_if_over(run)

    def _end_step_if_over(self, run: TaskRun) -> None:
        if not run.is_over:
            return
        status, cpu_seconds, peak_bytes = run.end
        now = self._clock()
        outcome = decode_status(status)
        if isinstance(outcome, Signaled) and run.asked_to_end:
            outcome = Signaled(outcome.signal, requested=True)
        task, step = run.task, run.step
        self._tell(StepEnded(task.key, step, outcome, now, now - run.started_at, cpu_seconds, peak_bytes))
        code = outcome.code if isinstance(outcome, Exited) else 128 + outcome.signal
        if code == 0 and step + 1 < len(task.steps) and not run.asked_to_end:
            run.step += 1
            self._start_step(run)
            return
        del self._runs[task.key]
        if self._schedule.is_leaving(task.key):
            self._schedule.end(task.key, code)
            self._tell(TasksRestarted((task.key,), ()))
            self._start_ready()
            return
        for later in range(step + 1, len(task.steps)):
            self._tell(StepSkipped(task.key, later, task.steps[step].name))
        self._tell(TaskEnded(task.key, code, False, now))
        for key, cause in self._schedule.end(task.key, 0 if run.asked_to_end else code):
            self._skip(key, self._plan.tasks[cause].label)
        if code != 0 and self._plan.exit_on_error and self._life.state == "running" and self._watch is None:
            self._end_others()
        self._start_ready()

    def _skip(self, key: int, because: str) -> None:
        for step in range(len(self._plan.tasks[key].steps)):
            self._tell(StepSkipped(key, step, because))
        self._tell(TaskEnded(key, 0, True, self._clock()))

    def _end_others(self) -> None:
        """A task failed and the rest is not wanted any more: interrupt it, and kill it after the grace period."""
        for key in self._schedule.stop():
            self._skip(key, ANOTHER_FAILED)
        for run in self._runs.values():
            if not run.asked_to_end:
                run.asked_to_end = True
                self._client.signal(signals.SIGINT, run.task.key)
        self._life.fail(self._clock())

    def _end_for_want_of_output(self, closed_by: int) -> None:
        """Let the scripts end: as long as ever when the terminal hung up, not for long when a pipe was closed."""
        hung_up = closed_by == signals.SIGHUP
        self._act_on_signals()
        if self._life.signal is None:
            self._client.signal(signals.SIGHUP if hung_up else signals.SIGTERM)
        end = self._clock() + (self._grace_s if hung_up else CLOSED_OUTPUT_GRACE_S)
        waiting = select.poll()
        waiting.register(self._client.fileno(), select.POLLIN)
        left = len(self._runs)
        while left > 0 and (remaining := end - self._clock()) > 0 and not self._client.lost:
            if waiting.poll(remaining * 1000):
                left -= sum(message[0] == protocol.ENDED for message in self._client.receive())

    # --- output

    def _read(self, descriptor: int) -> None:
        run = self._streams.read(descriptor)
        if run is not None:
            self._end_step_if_over(run)

    def _tell(self, event: Event) -> None:
        self._display.event(event)

    # --- signals and time

    def _act_on_signals(self) -> None:
        while (number := self._signals.take()) is not None:
            match self._life.interrupt(number, self._clock()):
                case "end":
                    self._schedule.stop()
                    for run in self._runs.values():
                        run.asked_to_end = True
                    self._client.signal(number)
                    self._signals.limit_writes()
                    self._untold.append(RunInterrupted(number))
                case "kill":
                    self._client.kill()
                case "forward":
                    self._client.signal(number)

    def _act_on_time(self, now: float) -> None:
        match self._life.overdue(now):
            case "kill":
                self._client.kill()
            case "give up":
                self._client.kill_everything()
                raise Failed("guardian-lost", GUARDIAN_UNANSWERED)
        for key, run in list(self._runs.items()):
            if run.deadline is None or now < run.deadline:
                continue
            if run.state != "ended":
                run.deadline = None
                self._client.kill(key)
            elif self._streams.give_up(run, now):  # a process out of reach keeps them open
                self._end_step_if_over(run)


def _signal_of(closed: OutputClosed) -> int:
    """The signal that says why nobody sees the output: a terminal hangs up, a pipe is closed."""
    return signals.SIGHUP if closed.hung_up else signals.SIGPIPE
