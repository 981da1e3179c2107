"""One script at a time in the foreground: it owns rt's stdin, stdout, stderr and, where there is one, the terminal.

Used by plain `rt run`. With a controlling terminal the script shares rt's process group, so Ctrl-C and Ctrl-Z reach it
first hand and are not sent twice; signals that some process sent to rt alone are passed on. Without a terminal the script
leads a group of its own and everything is passed on. rt itself always outlives the script, to tell how it ended.
"""

from __future__ import annotations

import os
import select
import time

from .. import _native
from ..vocabulary import protocol
from ..vocabulary.errors import Failed
from ..vocabulary.events import Exited, Signaled
from . import signals
from .client import PATIENCE_S, GuardianClient
from .outcomes import GUARDIAN_LOST, decode_status, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SECOND_INTERRUPT_S = 1.0
WAKE_MS = 200
FIRST_SIGNAL = 128  # a shell tells of a program that a signal ended by a higher status
_ENDING = (signals.SIGTERM, signals.SIGHUP)
_INTERRUPTING = (*_ENDING, signals.SIGINT, signals.SIGQUIT)


class Foreground:
    """Runs scripts one after the other; make it late (it forks) and close it always."""

    def __init__(self, *, grace_s: float = 5.0) -> None:
        """`grace_s` is how long a script may live on after SIGTERM or SIGHUP before its tree is killed."""
        self._grace_s = grace_s
        self._ignored = signals.ignored_signals()
        wanted = (signals.SIGINT, signals.SIGTERM, signals.SIGHUP, signals.SIGQUIT, signals.SIGUSR1, signals.SIGUSR2)
        self._queue = signals.SignalQueue(number for number in wanted if not self._ignored & (1 << number))
        self._modes = terminal_modes()
        self._shares_terminal = self._modes is not None
        self._client = GuardianClient(share_terminal=self._shares_terminal, held_back=self._queue.mask, grace_s=grace_s)
        self._poll = select.poll()
        self._poll.register(self._queue.fileno(), select.POLLIN)
        self._poll.register(self._client.fileno(), select.POLLIN)
        self._key = 0

    def run(
        self, *, argv: Sequence[str], environment: Mapping[str, str], folder: str, program: Sequence[str] = ()
    ) -> Exited | Signaled:
        """Run `argv` (a path first) to its end and return how it ended; nothing it started is left then.

        `program` is given where argv is rt itself and a fork of the guardian can be that (`GuardianClient.spawn`).

        Raises Failed when it cannot be started. It is not started when rt was told to end before that.
        """
        outcome = self._run(argv=argv, program=program, environment=environment, folder=folder)
        self._put_terminal_back(outcome)
        return outcome

    def _run(
        self, *, argv: Sequence[str], program: Sequence[str], environment: Mapping[str, str], folder: str
    ) -> Exited | Signaled:
        for number, _ in self._queue.take():
            if number in _INTERRUPTING:
                return Signaled(number)
        self._key += 1
        self._client.spawn(self._key, argv=argv, program=program, environment=environment, folder=folder)
        given, outcome = self._started()
        if outcome is not None:
            return outcome
        deadline: float | None = None
        give_up_at: float | None = None  # when a guardian that was told to kill should long have done so
        interrupted_at: float | None = None
        while True:
            moments = [moment for moment in (deadline, give_up_at) if moment is not None]
            remaining = max(0.0, min(moments) - time.monotonic()) * 1000 if moments else None
            ready = [descriptor for descriptor, _ in self._poll.poll(remaining)]
            if not ready and give_up_at is not None and time.monotonic() >= give_up_at:
                self._client.kill_everything()
                return Signaled(signals.SIGKILL)
            if not ready and deadline is not None:
                self._client.kill()
                deadline, give_up_at = None, time.monotonic() + PATIENCE_S
            for number, by_process in self._queue.take() if self._queue.fileno() in ready else ():
                now = time.monotonic()
                if not given & (1 << number) and not (
                    self._shares_terminal and reached_group(number, by_process=by_process)
                ):
                    self._client.signal(number)
                given &= ~(1 << number)
                if number == signals.SIGINT:
                    if interrupted_at is not None and (by_process or now - interrupted_at < SECOND_INTERRUPT_S):
                        self._client.kill()
                        give_up_at = now + PATIENCE_S
                    interrupted_at = now
                elif number in _ENDING and deadline is None:
                    deadline = now + self._grace_s
            if self._client.fileno() in ready:
                outcome = self._outcome(self._client.receive())
                if outcome is not None:
                    return outcome

    def _put_terminal_back(self, outcome: Exited | Signaled) -> None:
        """A script that a signal ended had no chance to leave the terminal as it found it."""
        if not self._modes or (isinstance(outcome, Exited) and outcome.code <= FIRST_SIGNAL):
            return
        try:
            descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:  # it has hung up
            return
        try:
            _native.set_terminal_modes(descriptor, self._modes)
        except OSError:
            pass
        finally:
            os.close(descriptor)

    def _started(self) -> tuple[int, Exited | Signaled | None]:
        """Wait until the script is there; meanwhile signals wait, so that it can see which ones it came too late for.

        Returns the mask of those it was given, and how it ended if it has. Raises Failed when it could not be started.
        """
        answer = select.poll()
        answer.register(self._client.fileno(), select.POLLIN)
        while True:
            self._poll.poll()
            asked_to_end_at = time.monotonic()
            while not answer.poll(WAKE_MS):
                # A signal is there, and no answer: the script may have stopped the guardian before it said that it runs.
                self._client.wake()
                if time.monotonic() - asked_to_end_at > PATIENCE_S:
                    self._client.kill_everything()
                    return 0, Signaled(signals.SIGKILL)
            messages = self._client.receive()
            outcome = self._outcome(messages)
            given = next((message[3] for message in messages if message[0] == protocol.STARTED), None)
            if given is not None or outcome is not None:
                return given or 0, outcome

    def _outcome(self, messages: list[protocol.Report]) -> Exited | Signaled | None:
        """Return how the current script ended if the guardian has said so. Raises Failed when it could not be started."""
        for message in messages:
            match message:
                case (protocol.ENDED, key, status, *_) if key == self._key:
                    return decode_status(status)
                case (protocol.REFUSED, _, number, words, path):
                    raise refusal(number, words, path)
        if self._client.lost:
            self._client.kill_everything()
            raise Failed("guardian-lost", GUARDIAN_LOST)
        return None

    def close(self) -> None:
        """End what still runs. The signals stay blocked: rt is about to end."""
        self._client.close()


def terminal_modes() -> bytes | None:
    """The modes of this process's controlling terminal; None where it has none."""
    try:
        descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return _native.terminal_modes(descriptor)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def reached_group(number: int, *, by_process: bool) -> bool:
    """Tell whether a signal came to all of rt's group: a key's does, a hangup is told to the session's leader alone."""
    return not by_process and not (number == signals.SIGHUP and os.getsid(0) == os.getpid())


def has_terminal() -> bool:
    """Tell whether this process has a controlling terminal."""
    return terminal_modes() is not None
