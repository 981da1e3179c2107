"""A zygote: a process that has made itself ready for one kind of script, and forks a worker for each that is ordered.

The guardian forks it (`native/guardian/src/zygote.rs`) and orders; it has one thread when it forks, and ends with the
guardian. A worker is a child of the guardian, not of the zygote, with everything that a process of its own would have:
group, streams, folder, environment, signals as a shell hands them on. What it is beside that, a `Host` knows. Where
anything stands in the way, the order is given back, before any of the script has run, and a whole process is started.
"""

from __future__ import annotations

import _signal
import _socket
import errno
import gc
import os
import sys

from .. import _native
from ..vocabulary import protocol
from ..vocabulary.descriptors import close_what_is_not_inherited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import NoReturn, Protocol

    class Host(Protocol):
        """One kind of script: what a zygote for it gets ready, and what its workers do."""

        ignored: Collection[int]
        """Signals that its workers ignore, as whole processes of the kind do."""

        takes_missed_signals: bool
        """Whether a worker that joins rt's group is given what was pending for rt before that."""

        def prepare(self) -> None:
            """Make the zygote what its workers are copies of; it has one thread afterwards."""

        def become_own(self) -> None:
            """In a worker, before it has an order: be no copy any more where that shows."""

        def command_line(self, program: Sequence[str]) -> Sequence[bytes]:
            """What process lists show for the command line `program`."""

        def run(self, program: Sequence[str], *, ignored: int) -> NoReturn:
            """Be `program`, rt's command line (its path or name first), in folder and environment of the script. Signals of the
            mask `ignored` were ignored when rt started."""


MOST_DESCRIPTORS = 4
_LARGEST_ORDER = 128 << 10
_FIRST_REAL_TIME = 32  # from here on no signal has another action than the default
_ALL = range(1, _FIRST_REAL_TIME)
_UNCHANGEABLE = (_signal.SIGKILL, _signal.SIGSTOP)


def becoming(hosts: Mapping[protocol.Kind, Host]) -> _native.BecomeZygote:
    """What becomes of a fork of the guardian that is to be the zygote of one of these kinds."""

    def become(kind: protocol.Kind, **place: int) -> NoReturn:
        Zygote(hosts[kind], **place).run()

    return become


class Zygote:
    """The zygote's whole life; `run` never returns, here and in the workers."""

    def __init__(
        self,
        host: Host,
        *,
        orders: int,
        answers: int,
        guardian: int,
        rt: int,
        group: int,
        ignored: int,
        held_back: int,
    ) -> None:
        """`orders` and `answers` are its ends of the channel, `guardian` and `rt` pids.

        Workers join process group `group` (0: each its own) and keep signals of the mask `ignored` ignored. Those of
        `held_back` may be pending for rt: a worker that joins its group has missed them then.
        """
        self._host = host
        self._orders = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, orders)
        self._answers = answers
        self._guardian = guardian
        self._rt = rt
        self._group = group
        self._ignored = ignored
        self._held_back = held_back if host.takes_missed_signals else 0
        self._streams: list[int] = []  # the guardian's own, for workers that are given none

    def run(self) -> NoReturn:
        """Fork what is ordered until the guardian is gone."""
        try:
            _signal.set_wakeup_fd(-1)
            if _native.die_with_parent(self._guardian):
                close_what_is_not_inherited(self._orders.fileno(), self._answers)
                self._streams = [os.dup(stream) for stream in range(3)]
                _be_silent()
                while self._take_order():
                    pass
        except BaseException:
            if os.environ.get("RT_DEBUG_TRACEBACK"):  # otherwise silently: whole processes take its place
                sys.excepthook(*sys.exc_info())
        finally:
            os._exit(0)

    def _prepare(self) -> None:
        gc.disable()
        self._host.prepare()
        gc.freeze()  # a collection in a worker would copy every page it shares

    def _take_order(self) -> bool:
        """Carry out one order; False when no more will come."""
        order, descriptors = self._next_order()
        if order is None:
            return False
        if order[0] == protocol.PREPARE:
            self._prepare()
            return True
        if order[0] == protocol.HOLD:
            self._hold()
            return True
        key = order[1]
        try:
            if len(descriptors) < order[-1]:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            pid = _native.fork_sibling()
            if pid == 0:
                self._be_ready(key)
                self._become(order, descriptors)
            self._answer(protocol.FORKED, key, pid)
        except (OSError, RuntimeError):
            self._answer(protocol.UNABLE, key)
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _next_order(self) -> tuple[protocol.Order | None, list[int]]:
        """Wait for an order and the descriptors that travel with it; None when no more will come."""
        data, beside, _, _ = self._orders.recvmsg(_LARGEST_ORDER, _socket.CMSG_SPACE(MOST_DESCRIPTORS * 4))
        descriptors = [
            int.from_bytes(payload[start : start + 4], sys.byteorder)
            for _, kind, payload in beside
            if kind == _socket.SCM_RIGHTS
            for start in range(0, len(payload) - 3, 4)
        ]
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        if not data:
            return None, descriptors
        order = _native.zygote_order(data)
        if order[0] != protocol.LONG:
            return order, descriptors
        _, key, passed = order
        if len(descriptors) <= passed:  # the file has not arrived: as where other descriptors have not
            return (protocol.SPAWN, key, [], [], [], "", passed + 1), descriptors
        with open(descriptors.pop(), "rb") as file:
            file.seek(0)
            whole = _native.zygote_order(file.read())
        assert whole[0] != protocol.LONG
        return whole, descriptors

    def _hold(self) -> None:
        """Fork the next worker, have it take the next order, and take none until it has, or is gone."""
        taken, held = os.pipe()
        try:
            pid = _native.fork_sibling()
        except (OSError, RuntimeError):
            self._answer(protocol.HELD, 0)
            os.close(taken)
            os.close(held)
            return
        if pid == 0:
            self._be_held(held)
        os.close(held)
        self._answer(protocol.HELD, 0, pid)
        os.read(taken, 1)  # its end
        os.close(taken)

    def _answer(self, kind: protocol.Answer, key: int, pid: int = 0, given: int = 0) -> None:
        os.write(self._answers, _native.zygote_answer(kind, key, pid, given))  # short enough to arrive in one piece

    # --- in the worker

    def _be_held(self, held: int) -> NoReturn:
        """Do all that needs no order, wait for one, and be that script."""
        self._be_ready(None)
        order, descriptors = self._next_order()
        os.close(held)
        if order is None or order[0] != protocol.SPAWN:
            os._exit(0)
        self._answer(protocol.FORKED, order[1], os.getpid())
        if len(descriptors) < order[-1]:
            self._give_back(order[1])
        self._become(order, descriptors)

    def _be_ready(self, key: int | None) -> None:
        """Be a process of its own, for the script `key` or whichever will be ordered."""
        try:
            if not _native.die_with_parent(self._guardian):
                os._exit(127)  # the receiver has gone
            self._reset_signals()
            self._host.become_own()
        except BaseException:  # whatever it is, a whole process says it better
            self._give_back(key)

    def _give_back(self, key: int | None) -> NoReturn:
        if key is not None:
            self._answer(protocol.UNABLE, key)
        os._exit(127)

    def _become(self, order: protocol.Spawn, descriptors: list[int]) -> NoReturn:
        """Be as a process that was started for the script of `order`, say so, and run it.

        Signals are held back from before it joins its group: what it is given of rt's is given once it has said so.
        """
        _, key, program, changed, removed, folder, _ = order
        given = 0
        try:
            _signal.pthread_sigmask(_signal.SIG_BLOCK, _ALL)
            os.setpgid(0, self._group)
            if self._held_back:
                given = _native.raise_missed(self._rt, self._held_back)
            for target, descriptor in enumerate(descriptors or self._streams):
                os.dup2(descriptor, target)
            os.chdir(folder)
            for name in removed:
                os.environ.pop(name, None)
            os.environ.update(changed)
            _native.show_command_line(list(self._host.command_line(program)))
        except BaseException:
            self._give_back(key)
        self._answer(protocol.RUNNING, key, os.getpid(), given)
        close_what_is_not_inherited()
        gc.enable()
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())
        try:
            self._host.run(program, ignored=self._ignored)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(70)  # `run` does not return; only a bug in it comes here

    def _reset_signals(self) -> None:
        for number in _ALL:
            if number not in _UNCHANGEABLE:
                stays_ignored = self._ignored & (1 << number) or number in self._host.ignored
                _signal.signal(number, _signal.SIG_IGN if stays_ignored else _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def _be_silent() -> None:
    """Leave rt's streams alone; the whole process that is started instead reports what goes wrong here."""
    if not os.environ.get("RT_DEBUG_TRACEBACK"):
        null = os.open("/dev/null", os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        os.close(null)
