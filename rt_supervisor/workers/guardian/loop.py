"""The guardian: the small process between rt and its scripts that sees to it that none outlives its run.

Forked before anything heavy is imported, it is the parent of every script and, as a subreaper, of every orphan they
leave. It carries out orders, reports how scripts ended once nothing of them is left, and when its channel to rt closes -
whatever ended rt, `kill -9` included - it kills all that is below it. It never writes to the terminal and takes orders from
`workers.client` only.
"""

from __future__ import annotations

import _signal
import _socket
import gc
import os
import select
import sys

from ... import _native
from ...vocabulary import protocol
from ...vocabulary.errors import is_descriptor_limit
from .. import shell_workers, signals
from .leftovers import Leftovers
from .scripts import Scripts
from .starts import MOST_DESCRIPTORS, MOST_STARTING, Starts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from ...engine_worker.start.zygote import ProgramHost
    from .starts import Refusal

KILL_DEADLINE_S = 2.0
_SHIELDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGTSTP", "SIGTTOU", "SIGTTIN", "SIGALRM")


class Guardian:
    """The guardian's whole life; `run` never returns."""

    def __init__(
        self,
        channel: _socket.socket,
        *,
        shared_group: int | None,
        ignored: int,
        held_back: int,
        grace_s: float,
        program_host: ProgramHost | None,
        mark: int,
    ) -> None:
        """`held_back` is a mask of the signals that rt blocks: a script that joins `shared_group` looks for those it missed."""
        self._channel = channel
        self._frames = protocol.FrameReader()
        self._descriptors: list[int] = []  # that have arrived, and whose order has not
        self._poll = select.poll()
        self._rt = os.getppid()
        self._scripts = Scripts()
        self._starts = Starts(
            self._scripts,
            self._poll,
            shared_group=shared_group,
            ignored=ignored,
            witness=(self._rt, held_back),
            program_host=program_host,
            answered=self._answered,
            reap=self._reap,
        )
        self._leftovers = Leftovers(
            self._scripts, self._starts, shared_group=shared_group, grace_s=grace_s, reap=self._reap
        )
        self._own_mark = mark  # on this process, so on all that it starts

    def run(self) -> NoReturn:
        """Serve until the channel closes, then kill all that is left and end."""
        try:
            gc.disable()  # nothing here makes cycles, and a collection would copy the pages shared with rt
            _native.become_subreaper()
            _native.mark_self(self._own_mark)
            for name in _SHIELDED:
                _signal.signal(getattr(_signal, name), _signal.SIG_IGN)
            self._serve()
        except BaseException as error:
            # rt tells of a guardian that is gone; only what is a bug needs more words than that.
            if not is_descriptor_limit(error):
                sys.excepthook(*sys.exc_info())
            raise
        finally:
            self._kill_everything()
            os._exit(0)

    def _serve(self) -> None:
        wake, waker = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(waker, False)
        _signal.signal(_signal.SIGCHLD, lambda *_: None)
        signals.wake_descriptor(waker)
        signals.unblock(range(1, 32))
        self._poll.register(self._channel.fileno(), select.POLLIN)
        self._poll.register(wake, select.POLLIN)
        while True:
            for descriptor, _ in self._poll.poll(self._leftovers.timeout_ms()):
                if descriptor == wake:
                    os.read(wake, 4096)
                elif descriptor == self._channel.fileno():
                    if not self._take_orders():
                        return
                else:
                    self._starts.hear(descriptor)
            self._reap()
            if self._scripts.ended_early or self._starts.has_lost_held:
                self._starts.hear_zygote()  # a worker may have been killed before it said that it runs
            for script in self._leftovers.finish():
                self._report((protocol.ENDED, script.key, *script.end))

    # --- orders

    def _take_orders(self) -> bool:
        """Carry out what has arrived; False when the channel is closed."""
        self._starts.settle(MOST_STARTING)  # each start under way holds descriptors
        try:
            data, ancillary, _, _ = self._channel.recvmsg(1 << 16, _socket.CMSG_SPACE(MOST_DESCRIPTORS * 4))
        except OSError:
            return False
        for _, kind, payload in ancillary:
            if kind == _socket.SCM_RIGHTS:
                for start in range(0, len(payload) - 3, 4):
                    descriptor = int.from_bytes(payload[start : start + 4], sys.byteorder)
                    os.set_inheritable(descriptor, False)
                    self._descriptors.append(descriptor)
        if not data:
            return False
        messages: list[protocol.Order] = self._frames.feed(data)
        for message in messages:
            match message:
                case (protocol.SPAWN, key, commands, program, changed, removed, folder, passed):
                    received, self._descriptors = self._descriptors[:passed], self._descriptors[passed:]
                    self._starts.start(
                        key,
                        commands=commands,
                        program=program,
                        changed=changed,
                        removed=removed,
                        folder=folder,
                        descriptors=received,
                        passed=passed,
                    )
                case (protocol.PREPARE,):
                    self._starts.prepare()
                case (protocol.HOLD,):
                    self._starts.hold()
                case (protocol.PREPARE_SHELL,):
                    shell_workers.prepare()
                case (protocol.SIGNAL, key, number):
                    self._starts.settle()
                    for script in self._scripts.chosen(key):
                        self._leftovers.signal(script, number)
                case (protocol.KILL, None):
                    self._kill_everything()
                case (protocol.KILL, key):
                    self._starts.settle()
                    for script in self._scripts.chosen(key):
                        self._leftovers.kill(script)
        return True

    def _answered(self, key: int, pid: int, given: int, refusal: Refusal | None) -> None:
        if refusal is not None:
            self._report((protocol.REFUSED, key, *refusal))
            return
        self._report((protocol.STARTED, key, pid, given))
        self._start_watcher()
        self._scripts.add(key, pid)

    # --- ends

    def _reap(self) -> None:
        strangers = self._scripts.reap(is_starting=self._starts.under_way > 0)
        if strangers:
            self._starts.note_ended(strangers)

    def _kill_everything(self) -> None:
        self._starts.settle()
        self._leftovers.kill_everything()
        _native.end_marked(self._own_mark, KILL_DEADLINE_S)
        self._leftovers.watcher = 0

    def _start_watcher(self) -> None:
        """Fork who sees to the end of everything if both rt and this process are killed."""
        if self._leftovers.watcher == 0:
            try:
                self._leftovers.watcher = _native.watch_over(self._rt, self._own_mark)
            except OSError:
                self._leftovers.watcher = -1  # the limit on processes; the scripts are what matters

    def _report(self, message: protocol.Report) -> None:
        try:
            self._channel.sendall(protocol.encode(message))
        except OSError:
            return  # rt is gone: the next read of the channel says so
