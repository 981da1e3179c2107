"""Owns: how scripts are started: as processes, as forks of rt's own shell, as engine workers of the zygote.

Each start that was ordered is answered once: with the pid of the script, or with why there is none.
"""

from __future__ import annotations

import errno
import os
import select

from ... import _native
from ...vocabulary import protocol
from .. import shell_workers
from .leftovers import SCRIPT_MARK, mark_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ...engine_worker.start.zygote import ProgramHost
    from ..zygote_client import ZygoteClient
    from .scripts import Scripts

    Refusal = tuple[int, str, str | None]  # errno, words, path
    Answered = Callable[[int, int, int, Refusal | None], None]  # key, pid, the signals it was given

MOST_DESCRIPTORS = 3
SPAWNER_THREADS = 3
MOST_STARTING = 16
MOST_ORDERED = 256  # workers; each order under way holds descriptors, too
OWN_DESCRIPTORS = 24
ZYGOTE_PATIENCE_S = 0.5  # how long a signal waits for scripts whose workers are still being made


class Starts:
    """The starts under way. `hear` is for what `poll` says of descriptors that are none of the guardian's own."""

    def __init__(
        self,
        scripts: Scripts,
        poll: select.poll,
        *,
        shared_group: int | None,
        ignored: int,
        witness: tuple[int, int],
        program_host: ProgramHost | None,
        answered: Answered,
        reap: Callable[[], None],
    ) -> None:
        """`witness` is rt's pid and a mask of the signals that it blocks, for scripts that join `shared_group`.

        `answered` is told of each start's end, `reap` takes note of children that have ended.
        """
        self._scripts = scripts
        self._poll = poll
        self._shared_group = shared_group
        self._group = protocol.OWN_GROUP if shared_group is None else shared_group
        self._ignored = ignored
        self._witness = None if shared_group is None else witness
        self._program_host = program_host
        self._tell = answered
        self._reap = reap
        self._zygote: ZygoteClient | None = None
        self._most_ordered = 0
        self._spawner: _native.Spawner | None = None
        self._descriptors: dict[int, list[int]] = {}  # key -> what to close when the start is answered
        self._environment = dict(os.environb)

    @property
    def under_way(self) -> int:
        return len(self._descriptors)

    @property
    def zygote_pid(self) -> int:
        return self._zygote.pid if self._zygote is not None else 0

    @property
    def held_pid(self) -> int:
        """The worker that waits for an order, if there is one; waits until the zygote has said so."""
        zygote = self._zygote
        if zygote is None:
            return 0
        if zygote.holding == "asked" and zygote.wait(ZYGOTE_PATIENCE_S):
            self.hear_zygote()
        return zygote.held_pid

    @property
    def has_lost_held(self) -> bool:
        return self._zygote is not None and self._zygote.holding == "gone"

    def hold(self) -> None:
        """Have a worker forked ahead of the next order."""
        if self._zygote is not None:
            self._zygote.hold()

    def note_ended(self, strangers: Collection[int]) -> None:
        """Take note of ended children that are no scripts."""
        if self._zygote is not None:
            self._zygote.note_ended(strangers)

    def prepare(self) -> None:
        """Start the zygote, while this process still has one thread only; without one there are whole processes."""
        if self._program_host is None or self._zygote is not None or self._spawner is not None:
            return
        from resource import RLIMIT_NOFILE, getrlimit

        from ..zygote_client import ZygoteClient

        limit = getrlimit(RLIMIT_NOFILE)[0]
        spare = limit - OWN_DESCRIPTORS - MOST_STARTING * MOST_DESCRIPTORS
        self._most_ordered = MOST_ORDERED if limit < 0 else min(MOST_ORDERED, spare // MOST_DESCRIPTORS)
        try:
            self._zygote = ZygoteClient(self._program_host, group=self._group, ignored=self._ignored)
            self._poll.register(self._zygote.fileno(), select.POLLIN)
        except OSError:
            return

    def start(
        self,
        key: int,
        *,
        commands: tuple[list[str], list[str]],
        program: list[str],
        changed: dict[str, str],
        removed: list[str],
        folder: str,
        descriptors: list[int],
        passed: int,
    ) -> None:
        """Start script `key`; `descriptors` become its 0, 1 and 2 (none: the guardian's own) and are closed then.

        `commands` are argv, and what is executed in its place where the system executes it, or nothing.
        Fewer than `passed` of them have arrived where the limit on open files is reached.
        """
        changed[SCRIPT_MARK] = mark_of(key)
        self._descriptors[key] = descriptors
        if len(descriptors) < passed:
            self._answered(key, refusal=(errno.EMFILE, os.strerror(errno.EMFILE), None))
            return

        def start_whole() -> None:
            self._start_process(key, commands, changed, removed, folder)

        if protocol.is_shell(program):
            is_started = self._fork_shell(key, program, changed, removed, folder)
        else:
            is_started = bool(program) and self._order_worker(key, program, changed, removed, folder, start_whole)
        if not is_started:
            start_whole()

    def hear(self, descriptor: int) -> None:
        if self._spawner is not None and descriptor == self._spawner.fileno():
            self._take_answers()
        else:
            self.hear_zygote()

    def hear_zygote(self) -> None:
        zygote = self._zygote
        if zygote is None:
            return
        answers = zygote.take(self._scripts.ended_early)
        if zygote.is_lost:
            self._poll.unregister(zygote.fileno())  # before its number can be another descriptor's
            self._zygote = None
        for key, pid, start_whole in answers:
            if pid:
                self._answered(key, pid)
            else:
                start_whole()

    def settle(self, at_most: int = 0) -> None:
        """Wait until at most so many starts are under way; at none, what follows reaches every script."""
        if at_most == 0:
            self._settle_zygote()
        if self._spawner is not None and len(self._descriptors) > at_most:
            self._spawner.settle(at_most)
            self._take_answers()

    # --- a way each

    def _start_process(
        self, key: int, commands: tuple[list[str], list[str]], changed: dict[str, str], removed: list[str], folder: str
    ) -> None:
        environment = self._environment_with(changed, removed)
        streams = self._descriptors[key]
        try:
            if self._spawner is None:
                self._spawner = _native.Spawner(SPAWNER_THREADS if self._shared_group is None else 1)
                self._poll.register(self._spawner.fileno(), select.POLLIN)
            self._spawner.submit(
                key,
                [os.fsencode(word) for word in commands[0]],
                [os.fsencode(word) for word in commands[1]],
                [name + b"=" + value for name, value in environment.items()],
                os.fsencode(folder),
                (streams[0], streams[1], streams[2]) if streams else (0, 1, 2),
                self._group,
                self._ignored,
                self._witness,
            )
        except ValueError as error:
            self._answered(key, refusal=(0, str(error), None))
        except OSError as error:
            self._answered(key, refusal=(error.errno or 0, error.strerror or "", None))
        import resource  # noqa: F401 - wait4 needs it, and now there is time: not when a script has ended

    def _fork_shell(
        self, key: int, program: list[str], changed: dict[str, str], removed: list[str], folder: str
    ) -> bool:
        """Fork rt's own shell for script `key`; False where that cannot be."""
        try:
            pid, given = shell_workers.fork_shell(
                program,
                environment=self._environment_with(changed, removed),
                folder=folder,
                streams=self._descriptors[key],
                group=self._group,
                ignored=self._ignored,
                witness=self._witness,
            )
        except OSError:
            return False
        self._answered(key, pid, given)
        return True

    def _order_worker(
        self,
        key: int,
        program: list[str],
        changed: dict[str, str],
        removed: list[str],
        folder: str,
        start_whole: Callable[[], None],
    ) -> bool:
        """Have the zygote fork a worker for script `key`, or later call `start_whole`; False where it takes no order."""
        if self._zygote is None or self._zygote.outstanding >= self._most_ordered:
            return False
        return self._zygote.order(
            key,
            program=program,
            changed=changed,
            removed=removed,
            folder=folder,
            descriptors=self._descriptors[key],
            start_whole=start_whole,
        )

    def _environment_with(self, changed: dict[str, str], removed: list[str]) -> dict[bytes, bytes]:
        environment = dict(self._environment)
        for name in removed:
            environment.pop(os.fsencode(name), None)
        for name, value in changed.items():
            environment[os.fsencode(name)] = os.fsencode(value)
        return environment

    # --- answers

    def _take_answers(self) -> None:
        for key, pid, given, error, words, path in self._spawner.take() if self._spawner is not None else ():
            self._answered(key, pid, given, None if pid else (error, words, path))

    def _answered(self, key: int, pid: int = 0, given: int = 0, refusal: Refusal | None = None) -> None:
        for descriptor in self._descriptors.pop(key):
            os.close(descriptor)
        self._tell(key, pid, given, refusal)
        if not self._descriptors:
            self._scripts.ended_early.clear()

    def _settle_zygote(self) -> None:
        while self._zygote is not None and self._zygote.outstanding:
            if not self._zygote.wait(ZYGOTE_PATIENCE_S):
                self._zygote.kill()
            self._reap()
            self.hear_zygote()
