"""One command that is run again when one of its files changes: `--watch` of a program or of a single script.

The next generation starts only when nothing of the previous one is left. The command has rt's own streams and the terminal,
like a script in the foreground (`native/guardian/src/foreground.rs`). The guardian, the signals and the clock are arguments.
"""

from __future__ import annotations

import os
import select
import time

from ..vocabulary import protocol
from ..vocabulary.errors import Failed, unreachable
from ..vocabulary.events import Exited, Signaled
from ..vocabulary.identity import identity_of
from ..vocabulary.load_report import CHANNEL, LoadReports
from ..vocabulary.messages import GUARDIAN_LOST
from ..watching.listening import Listening
from ..workers import signals
from ..workers.outcomes import decode_status, refusal
from ..workers.terminal import reached_group
from .own_writing import OwnWriting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Literal, Protocol, TypeAlias

    from ..vocabulary.identity import Identity
    from .changes import Changes

    State: TypeAlias = Literal["idle", "starting", "running", "stopping", "ending", "over"]

    class Client(Protocol):
        """The part of `workers.client.GuardianClient` that generations need."""

        lost: bool

        def fileno(self) -> int: ...
        def prepare(self, kind: protocol.Kind) -> None: ...
        def hold(self) -> None: ...
        def spawn(
            self,
            key: int,
            *,
            argv: Sequence[str],
            program: Sequence[str],
            environment: Mapping[str, str],
            folder: str,
        ) -> None: ...
        def signal(self, number: int, key: int | None = None) -> None: ...
        def kill(self, key: int | None = None) -> None: ...
        def receive(self) -> Sequence[protocol.Report]: ...
        def kill_everything(self) -> None: ...
        def close(self) -> None: ...

    class Queue(Protocol):
        """Signals that arrived: (number, whether a process sent it)."""

        def fileno(self) -> int: ...
        def take(self) -> list[tuple[int, bool]]: ...

    class Narrator(Protocol):
        """Prints what happens to the generations."""

        def restarts(self, changed: Sequence[str]) -> None:
            """The next generation is about to start because of `changed`."""

        def ended(self, outcome: Exited | Signaled) -> None:
            """A generation ended by itself; the next change starts another one."""

        def folder_is_gone(self) -> None:
            """The folder of the next generation does not exist; it starts once it exists again."""


_ENDING = (signals.SIGTERM, signals.SIGHUP)
SECOND_INTERRUPT_S = 1.0
HOLD_AFTER_S = 0.1  # until then the generation itself needs the processor
_QUEUED = (signals.SIGINT, signals.SIGTERM, signals.SIGHUP, signals.SIGQUIT, signals.SIGUSR1, signals.SIGUSR2)


def queue_signals() -> signals.SignalQueue:
    """Queue the signals that `Generations` handles, except for those that rt ignores."""
    ignored = signals.ignored_signals()
    return signals.SignalQueue(number for number in _QUEUED if not ignored & (1 << number))


class Generations:
    """Runs one command repeatedly until rt receives a request to end; it must be closed.

    idle --a change--> starting --STARTED--> running --ended--> idle
      |                   `-------+------------`--a change--> stopping --ended, or killed after the grace period--> starting
      |                           `--asked to end (stopping too)--> ending --ended--> over
      `--asked to end--> over
    """

    def __init__(
        self,
        *,
        argv: Sequence[str],
        environment: Mapping[str, str],
        folder: str,
        is_program: bool,
        kill_signal: int,
        grace_s: float,
        client: Client,
        queue: Queue,
        shares_terminal: bool,
        narrator: Narrator,
        make_changes: Callable[[], Changes],
        outputs: Sequence[int] = (1, 2),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`argv` is rt's own command line (rt's path first). `is_program`: it is a source file, which a forked engine can run.

        `kill_signal` asks a generation to end, which it must do within `grace_s` seconds. `shares_terminal`: the terminal sends
        its signals to the command too. `make_changes` is called when the first generation runs. `outputs` are
        the descriptors whose readers are watched while nothing runs. `clock` counts seconds and never goes back. The client is closed by `close`.
        """
        self._argv = argv
        self._folder = folder
        self._is_program = is_program
        self._kill_signal = kill_signal
        self._grace_s = grace_s
        self._narrator = narrator
        self._make_changes = make_changes
        self._reports = LoadReports()
        self._environment = {**environment, CHANNEL: self._reports.channel} if is_program else environment
        self._client = client
        self._queue = queue
        self._shares_terminal = shares_terminal
        self._clock = clock
        self._poll = select.poll()
        for source in (self._queue, self._client, self._reports):
            self._poll.register(source.fileno(), select.POLLIN)
        self._outputs = [descriptor for descriptor in outputs if _is_open(descriptor)]
        self._polls_outputs = False
        self._changes: Changes | None = None
        self._own = OwnWriting()
        self._listening = Listening(
            add=lambda descriptor: self._poll.register(descriptor, select.POLLIN), remove=self._poll.unregister
        )
        self._terminal = _TerminalSettings()
        self._state: State = "idle"
        self._key = 0
        self._kill_at: float | None = None
        self._hold_at: float | None = None  # when the process of the next generation is forked ahead
        self._interrupted_at: float | None = None
        self._signal = 0  # that asked rt to end
        self._wanted: list[str] = []  # changed files since the running generation was started
        self._outcome: Exited | Signaled = Exited(0)

    def run(self) -> Exited | Signaled:
        """Run generations until rt receives a request to end; return how the last one ended, or the signal to die of.

        Raises Failed, and BrokenPipeError if nothing runs and the reader of an output has exited.
        """
        if self._is_program:
            self._client.prepare("engine")
        self._start()
        while self._state != "over":
            self._poll_outputs_if_idle()
            happened = self._poll.poll(self._timeout_ms())
            ready = {descriptor for descriptor, _ in happened}
            if self._client.fileno() in ready:
                self._take_reports()
            if self._reports.fileno() in ready and self._changes is not None:
                self._changes.follow_files(followed_with(self._reports.take(), self._folder))
            if self._queue.fileno() in ready:
                self._act_on_signals()
            if self._state == "idle" and _lacks_reader(happened, self._outputs):
                raise BrokenPipeError
            if self._kill_at is not None and self._clock() >= self._kill_at:
                self._kill_at = None
                self._client.kill()
            if self._hold_at is not None and self._clock() >= self._hold_at:
                self._hold_at = None
                self._client.hold()
            if self._changes is not None:
                self._act_on_changes(self._take_changes(self._changes))
                self._listening.follow(self._changes.fileno())
        if self._signal and (isinstance(self._outcome, Signaled) or self._key == 0):
            return Signaled(self._signal)
        return self._outcome

    def _poll_outputs_if_idle(self) -> None:
        """Poll the outputs while no generation runs: nothing is written then that would fail without a reader."""
        is_idle = self._state == "idle"
        if is_idle == self._polls_outputs:
            return
        self._polls_outputs = is_idle
        for descriptor in self._outputs:
            if is_idle:
                self._poll.register(descriptor, 0)  # errors are reported without being requested
            else:
                self._poll.unregister(descriptor)

    def _timeout_ms(self) -> float | None:
        waits = []
        if self._kill_at is not None:
            waits.append(max(0.0, self._kill_at - self._clock()))
        if self._hold_at is not None:
            waits.append(max(0.0, self._hold_at - self._clock()))
        if self._changes is not None and self._changes.timeout_s is not None:
            waits.append(self._changes.timeout_s)
        return min(waits) * 1000 if waits else None

    # --- generations

    def _start(self) -> None:
        self._key += 1
        self._wanted = []
        self._kill_at = self._hold_at = self._interrupted_at = None
        self._state = "starting"
        self._terminal.restore()
        self._client.spawn(
            self._key,
            argv=self._argv,
            program=self._argv if self._is_program else (),
            environment=self._environment,
            folder=self._folder,
        )

    def _restart(self) -> None:
        """Start the next generation, or wait until its folder exists again; its files remain watched."""
        if not os.path.isdir(self._folder):
            self._await_folder()
            return
        self._narrator.restarts(self._wanted)
        self._start()

    def _await_folder(self) -> None:
        self._state, self._wanted = "idle", []
        self._narrator.folder_is_gone()

    def _take_reports(self) -> None:
        for message in self._client.receive():
            match message:
                case (protocol.STARTED, key, _, _) if key == self._key:
                    self._on_start()
                case (protocol.REFUSED, key, number, words, path) if key == self._key:
                    if os.path.isdir(self._folder):
                        raise refusal(number, words, path)
                    if self._state == "ending":
                        self._state = "over"
                    else:
                        self._await_folder()
                case (protocol.ENDED, key, status, *_) if key == self._key:
                    self._on_end(decode_status(status))
        if self._client.lost:
            self._client.kill_everything()
            raise Failed("guardian-lost", GUARDIAN_LOST)

    def _on_start(self) -> None:
        if self._state == "starting":
            self._state = "running"
            self._hold_at = self._clock() + HOLD_AFTER_S if self._is_program else None
        elif self._state == "ending":
            self._client.signal(self._signal)
        if self._changes is None:
            self._changes = self._make_changes()
            self._listening.follow(self._changes.fileno())

    def _on_end(self, outcome: Exited | Signaled) -> None:
        self._outcome = outcome
        self._kill_at = None
        match self._state:
            case "stopping":
                self._restart()
            case "starting" | "running":
                if self._interrupted_at is not None:  # it ended because of Ctrl-C
                    self._state = "over"
                elif self._wanted:
                    self._restart()
                else:
                    self._state = "idle"
                    self._narrator.ended(outcome)
            case "ending":
                self._state = "over"
            case "idle" | "over":
                return
            case other:
                unreachable(other)

    @property
    def _is_up(self) -> bool:
        """Whether a generation was started and has not ended."""
        return self._state not in ("idle", "over")

    def _take_changes(self, changes: Changes) -> list[str]:
        """Return the changed files, without those that a script has written itself."""
        changed = changes.take()
        if self._is_program:
            return changed
        now = self._clock()
        if self._is_up:
            self._own.record_run(self._folder, now)
        is_own_change = self._own.is_own_change
        return [
            path
            for path in changed
            if not is_own_change(path, folder=self._folder, is_new=path in changes.new, now=now)
        ]

    def _act_on_changes(self, changed: list[str]) -> None:
        if not changed:
            return
        self._wanted += changed
        match self._state:
            case "running" | "starting":
                self._state = "stopping"
                self._client.signal(self._kill_signal)
                self._kill_at = self._clock() + self._grace_s
            case "idle":
                self._restart()
            case "stopping" | "ending" | "over":
                return
            case other:
                unreachable(other)

    # --- signals

    def _act_on_signals(self) -> None:
        for number, by_process in self._queue.take():
            now = self._clock()
            if not self._is_up:
                if number not in (signals.SIGUSR1, signals.SIGUSR2):
                    self._signal, self._outcome, self._state = number, Signaled(number), "over"
                continue
            if not (self._shares_terminal and reached_group(number, by_process=by_process)):
                self._client.signal(number)
            if number == signals.SIGINT:
                is_second = self._interrupted_at is not None
                if is_second and (by_process or now - (self._interrupted_at or now) < SECOND_INTERRUPT_S):
                    self._client.kill()
                self._interrupted_at, self._signal = now, number
                if self._state == "stopping":
                    self._state = "ending"
            elif number in _ENDING or number == signals.SIGQUIT:
                self._state, self._signal = "ending", number
                if self._kill_at is None:
                    self._kill_at = now + self._grace_s

    def close(self) -> None:
        """End everything that still runs."""
        self._client.close()
        self._reports.close()
        if self._changes is not None:
            self._changes.close()
        self._terminal.restore()


class _TerminalSettings:
    """The initial settings of the terminal, restored for the next generation and for the shell after a program was killed in raw mode."""

    def __init__(self) -> None:
        self._settings: list[object] | None = None
        if os.isatty(0):
            import termios

            self._settings = termios.tcgetattr(0)

    def restore(self) -> None:
        if self._settings is not None:
            import termios

            try:
                termios.tcsetattr(0, termios.TCSANOW, self._settings)  # type: ignore[arg-type]
            except termios.error:
                self._settings = None  # the terminal has hung up


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _lacks_reader(happened: Sequence[tuple[int, int]], outputs: Sequence[int]) -> bool:
    """Return whether `happened`, the result of a poll, says that the reader of one of the `outputs` has exited."""
    return any(descriptor in outputs and bits & (select.POLLERR | select.POLLHUP) for descriptor, bits in happened)


def followed_with(files: Mapping[str, Identity], root: str) -> dict[str, Identity]:
    """Return `files` with the package.json and tsconfig.json of each of their folders up to `root`.

    Files of installed packages and outside `root` have none that a developer edits.
    """
    folders: dict[str, None] = {}
    for path in files:
        folder = os.path.dirname(path)
        while folder not in folders and f"{folder}/".startswith(f"{root}/") and "/node_modules" not in folder:
            folders[folder] = None
            folder = os.path.dirname(folder)
    beside = [f"{folder}/{name}" for folder in folders for name in ("package.json", "tsconfig.json")]
    return {**{path: identity_of(path) for path in beside}, **files}
