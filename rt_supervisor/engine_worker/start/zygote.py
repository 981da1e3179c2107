"""The zygote: rt with V8 and an engine ready and no program yet, which forks a worker for each source file ordered.

It is started by the guardian (`workers.zygote_client`) and ends with it; it has one thread when it forks. A worker is a child of the
guardian, not of the zygote, with everything that a process of its own would have: group, streams, folder, environment,
signals as a shell hands them on, random numbers of its own. It runs what `rt FILE` runs. Where anything stands in the
way, a whole process is asked for, or becomes of the worker, before any of the program has run.
"""

from __future__ import annotations

import _signal
import _socket
import errno
import gc
import os
import sys

from ... import _native
from ...vocabulary import protocol
from ...vocabulary.descriptors import close_what_is_not_inherited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn, Protocol

    from .ready_engine import ReadyEngine

    class ProgramHost(Protocol):
        """What knows how to be `rt FILE` in this process."""

        def prepare(self) -> None:
            """Import what that will import."""

        def run(self, program: Sequence[str], engine: ReadyEngine) -> NoReturn:
            """Run rt's command line `program` (its path first) in `engine` and end the process."""


MOST_DESCRIPTORS = 3
# As the interpreter leaves them when it starts; all others do what they do by default.
_IGNORED_BY_PYTHON = (_signal.SIGPIPE, _signal.SIGXFSZ)
_FIRST_REAL_TIME = 32  # from here on no signal has another action than the default


class Zygote:
    """The zygote's whole life; `run` never returns, here and in the workers."""

    def __init__(self, host: ProgramHost, *, orders: _socket.socket, answers: int, group: int, ignored: int) -> None:
        """`orders` and `answers` are its ends of the channel; `group` and `ignored` as `ZygoteClient` has them."""
        self._host = host
        self._orders = orders
        self._answers = answers
        self._group = group
        self._ignored = ignored
        self._guardian = os.getppid()
        self._streams: list[int] = []  # the guardian's own, for workers that are given none

    def run(self) -> NoReturn:
        """Fork what is ordered until the guardian is gone."""
        try:
            _signal.set_wakeup_fd(-1)
            _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
            if _native.die_with_parent(self._guardian):
                close_what_is_not_inherited(self._orders.fileno(), self._answers)
                self._streams = [os.dup(stream) for stream in range(3)]
                _be_silent()
                engine = self._ready_engine()
                while self._take_order(engine):
                    pass
        except BaseException:
            if os.environ.get("RT_DEBUG_TRACEBACK"):  # otherwise nobody misses it: whole processes take its place
                sys.excepthook(*sys.exc_info())
        finally:
            os._exit(0)

    def _ready_engine(self) -> ReadyEngine:
        """Do all that every worker needs, once. Raises Failed when V8 cannot be started."""
        gc.disable()
        from .bundle import start_ahead

        _native.v8_hold_threads()
        start_ahead()  # on a thread, beside the imports; it has ended when the engine is there
        self._host.prepare()
        from .ready_engine import ReadyEngine

        engine = ReadyEngine()
        gc.freeze()  # a collection in a worker would copy every page it shares
        return engine

    def _take_order(self, engine: ReadyEngine) -> bool:
        """Carry out one order; False when no more will come."""
        order, descriptors = self._next_order()
        if order is None:
            return False
        if order[0] == protocol.HOLD:
            self._hold(engine)
            return True
        key = order[1]
        try:
            if len(descriptors) < order[-1]:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            pid = _native.fork_sibling()
            if pid == 0:
                self._be_ready(engine, key)
                self._become(engine, order, descriptors)
            self._answer((protocol.FORKED, key, pid))
        except (OSError, RuntimeError):
            self._answer((protocol.UNABLE, key, 0))
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _next_order(self) -> tuple[protocol.Fork | protocol.Hold | None, list[int]]:
        """Wait for an order and the descriptors that travel with it; None when no more will come."""
        data, beside, _, _ = self._orders.recvmsg(protocol.LARGEST_ORDER, _socket.CMSG_SPACE(MOST_DESCRIPTORS * 4))
        descriptors = [
            int.from_bytes(payload[start : start + 4], sys.byteorder)
            for _, kind, payload in beside
            if kind == _socket.SCM_RIGHTS
            for start in range(0, len(payload) - 3, 4)
        ]
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        orders: list[protocol.Fork | protocol.Hold] = protocol.FrameReader().feed(data) if data else []
        return (orders[0] if orders else None), descriptors

    def _hold(self, engine: ReadyEngine) -> None:
        """Fork the next worker, have it take the next order, and take none until it has, or is gone."""
        taken, held = os.pipe()
        try:
            pid = _native.fork_sibling()
        except (OSError, RuntimeError):
            self._answer((protocol.HELD, 0, 0))
            os.close(taken)
            os.close(held)
            return
        if pid == 0:
            self._be_held(engine, held)
        os.close(held)
        self._answer((protocol.HELD, 0, pid))
        os.read(taken, 1)  # its end
        os.close(taken)

    def _answer(self, message: protocol.Answer) -> None:
        os.write(self._answers, protocol.encode(message))  # short enough to arrive in one piece

    # --- in the worker

    def _be_held(self, engine: ReadyEngine, held: int) -> NoReturn:
        """Do all that needs no order, wait for one, and be that script."""
        self._be_ready(engine, None)
        order, descriptors = self._next_order()
        os.close(held)
        if order is None or order[0] == protocol.HOLD:
            os._exit(0)
        self._answer((protocol.FORKED, order[1], os.getpid()))
        if len(descriptors) < order[-1]:
            self._give_back(order[1])
        self._become(engine, order, descriptors)

    def _be_ready(self, engine: ReadyEngine, key: int | None) -> None:
        """Be a process of its own, for the script `key` or whichever will be ordered."""
        try:
            if not _native.die_with_parent(self._guardian):
                os._exit(127)  # nobody is left to be told
            self._reset_signals()
            engine.become_own()
        except BaseException:  # whatever it is, a whole process says it better
            self._give_back(key)

    def _give_back(self, key: int | None) -> NoReturn:
        if key is not None:
            self._answer((protocol.UNABLE, key, 0))
        os._exit(127)

    def _become(self, engine: ReadyEngine, order: protocol.Fork, descriptors: list[int]) -> NoReturn:
        """Be as a process that was started for the script of `order`, say so, and run it."""
        _, key, program, changed, removed, folder, _ = order
        try:
            os.setpgid(0, self._group)
            for target, descriptor in enumerate(descriptors or self._streams):
                os.dup2(descriptor, target)
            os.chdir(folder)
            for name in removed:
                os.environ.pop(name, None)
            os.environ.update(changed)
            _native.show_command_line([os.fsencode(word) for word in (sys.orig_argv[0], *program)])
        except BaseException:
            self._give_back(key)
        self._answer((protocol.RUNNING, key, os.getpid()))
        close_what_is_not_inherited()
        gc.enable()
        self._work(engine, program)

    def _reset_signals(self) -> None:
        for number in range(1, _FIRST_REAL_TIME):
            if number in (_signal.SIGKILL, _signal.SIGSTOP):
                continue
            stays_ignored = self._ignored & (1 << number) or number in _IGNORED_BY_PYTHON
            _signal.signal(number, _signal.SIG_IGN if stays_ignored else _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())

    def _work(self, engine: ReadyEngine, program: list[str]) -> NoReturn:
        from .ready_engine import WholeProcessNeeded

        try:
            self._host.run(program, engine)
        except WholeProcessNeeded:
            for number in _IGNORED_BY_PYTHON:
                _signal.signal(number, _signal.SIG_DFL)
            os.execv(program[0], program)
        finally:
            os._exit(70)  # `run` does not return; only a bug in it comes here


def _be_silent() -> None:
    """Leave rt's streams alone; what goes wrong here is told by the whole process that is started instead."""
    if not os.environ.get("RT_DEBUG_TRACEBACK"):
        null = os.open("/dev/null", os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        os.close(null)
