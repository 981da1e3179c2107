"""A zygote: a process that is prepared for one kind of script, and forks a worker for each one that is ordered.

The guardian forks it (`native/guardian/src/zygote.rs`) and sends orders. It has one thread when it forks, and ends with
the guardian. A worker is a child of the guardian, not of the zygote, and has everything that a separate process would
have: group, streams, folder, environment, and signals as a shell passes them on. A `Host` knows what the kind of script
needs. If an order cannot be executed, it is returned before any part of the script has run, and a whole process is
started instead.
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
        """One kind of script: how to prepare a zygote for it, and how its workers run."""

        ignored: Collection[int]
        """Signals that its workers ignore, as separate processes of the kind do."""

        takes_missed_signals: bool
        """Whether a worker that joins rt's group receives the signals that were pending for rt before."""

        def prepare(self) -> None:
            """Prepare the zygote, of which its workers are copies; it must have one thread afterwards."""

        def become_own(self) -> None:
            """In a worker, before it has an order: reset the state that must differ between processes."""

        def command_line(self, program: Sequence[str]) -> Sequence[bytes]:
            """Return what process lists show for the command line `program`."""

        def run(self, program: Sequence[str], *, ignored: int) -> NoReturn:
            """Run `program`, rt's command line (its path or name first), in the script's folder and environment. The
            mask `ignored` holds the signals that were ignored when rt started."""


MOST_DESCRIPTORS = 4
_LARGEST_ORDER = 128 << 10
_FIRST_REAL_TIME = 32  # from here on, signals have the default action
_ALL = range(1, _FIRST_REAL_TIME)
_UNCHANGEABLE = (_signal.SIGKILL, _signal.SIGSTOP)


def zygote_starter(hosts: Mapping[protocol.Kind, Host]) -> _native.BecomeZygote:
    """Return the function that a fork of the guardian calls to become a zygote of one of these kinds."""

    def become(kind: protocol.Kind, **place: int) -> NoReturn:
        Zygote(hosts[kind], **place).run()

    return become


class Zygote:
    """The life of a zygote process; `run` returns neither in the zygote nor in its workers."""

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
        """`orders` and `answers` are its ends of the channel; `guardian` and `rt` are pids.

        Workers join process group `group` (0: each leads its own) and keep ignoring the signals of the mask `ignored`.
        Signals of `held_back` may be pending for rt: a worker that joins its group has missed those.
        """
        self._host = host
        self._orders = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, orders)
        self._answers = answers
        self._guardian = guardian
        self._rt = rt
        self._group = group
        self._ignored = ignored
        self._held_back = held_back if host.takes_missed_signals else 0
        self._streams: list[int] = []  # the guardian's own, for workers without descriptors

    def run(self) -> NoReturn:
        """Execute orders until the guardian has ended."""
        try:
            _signal.set_wakeup_fd(-1)
            if _native.die_with_parent(self._guardian):
                close_what_is_not_inherited(self._orders.fileno(), self._answers)
                self._streams = [os.dup(stream) for stream in range(3)]
                _silence_streams()
                while self._take_order():
                    pass
        except BaseException:
            if os.environ.get("RT_DEBUG_TRACEBACK"):  # otherwise silent: whole processes replace it
                sys.excepthook(*sys.exc_info())
        finally:
            os._exit(0)

    def _prepare(self) -> None:
        gc.disable()
        self._host.prepare()
        gc.freeze()  # a collection in a worker would copy every shared page

    def _take_order(self) -> bool:
        """Execute one order; return False when the channel is closed."""
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
                self._prepare_process(key)
                self._run_script(order, descriptors)
            self._answer(protocol.FORKED, key, pid)
        except (OSError, RuntimeError):
            self._answer(protocol.UNABLE, key)
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _next_order(self) -> tuple[protocol.Order | None, list[int]]:
        """Wait for an order and the descriptors sent with it; None when the channel is closed."""
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
        if len(descriptors) <= passed:  # the file has not arrived: treated like other missing descriptors
            return (protocol.SPAWN, key, [], [], [], "", False, passed + 1), descriptors
        with open(descriptors.pop(), "rb") as file:
            file.seek(0)
            whole = _native.zygote_order(file.read())
        assert whole[0] != protocol.LONG
        return whole, descriptors

    def _hold(self) -> None:
        """Fork the next worker, which receives the next order; wait until it has received one or has ended."""
        read_end, write_end = os.pipe()
        try:
            pid = _native.fork_sibling()
        except (OSError, RuntimeError):
            self._answer(protocol.HELD, 0)
            os.close(read_end)
            os.close(write_end)
            return
        if pid == 0:
            self._run_held(write_end)
        os.close(write_end)
        self._answer(protocol.HELD, 0, pid)
        os.read(read_end, 1)  # returns at the end of the pipe
        os.close(read_end)

    def _answer(self, kind: protocol.Answer, key: int, pid: int = 0, given: int = 0) -> None:
        os.write(self._answers, _native.zygote_answer(kind, key, pid, given))  # short enough to be written atomically

    # --- in the worker

    def _run_held(self, held: int) -> NoReturn:
        """Prepare as far as possible without an order, wait for one, and run that script."""
        self._prepare_process(None)
        order, descriptors = self._next_order()
        os.close(held)
        if order is None or order[0] != protocol.SPAWN:
            os._exit(0)
        self._answer(protocol.FORKED, order[1], os.getpid())
        if len(descriptors) < order[-1]:
            self._return_order(order[1])
        self._run_script(order, descriptors)

    def _prepare_process(self, key: int | None) -> None:
        """Become a separate process, for the script `key`, or for the next order if None."""
        try:
            if not _native.die_with_parent(self._guardian):
                os._exit(127)  # the guardian has ended
            self._reset_signals()
            self._host.become_own()
        except BaseException:  # a whole process reports the problem better
            self._return_order(key)

    def _return_order(self, key: int | None) -> NoReturn:
        if key is not None:
            self._answer(protocol.UNABLE, key)
        os._exit(127)

    def _run_script(self, order: protocol.Spawn, descriptors: list[int]) -> NoReturn:
        """Become like a process that was started for the script of `order`, report that, and run the script.

        All signals are blocked before it joins its group; those that it missed are delivered after it has reported
        them.
        """
        _, key, program, changed, removed, folder, has_terminal, _ = order
        given = 0
        try:
            _signal.pthread_sigmask(_signal.SIG_BLOCK, _ALL)
            if has_terminal:
                os.setsid()
            else:
                os.setpgid(0, self._group)
            if self._held_back:
                given = _native.raise_missed(self._rt, self._held_back)
            for target, descriptor in enumerate(descriptors or self._streams):
                os.dup2(descriptor, target)
            if has_terminal:
                _control_terminal()
            os.chdir(folder)
            for name in removed:
                os.environ.pop(name, None)
            os.environ.update(changed)
            _native.show_command_line(list(self._host.command_line(program)))
        except BaseException:
            self._return_order(key)
        self._answer(protocol.RUNNING, key, os.getpid(), given)
        close_what_is_not_inherited()
        gc.enable()
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())
        try:
            self._host.run(program, ignored=self._ignored)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(70)  # `run` does not return: only a bug leads here

    def _reset_signals(self) -> None:
        for number in _ALL:
            if number not in _UNCHANGEABLE:
                stays_ignored = self._ignored & (1 << number) or number in self._host.ignored
                _signal.signal(number, _signal.SIG_IGN if stays_ignored else _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def _control_terminal() -> None:
    """Make the terminal at descriptor 0 the controlling terminal of this process's session."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _silence_streams() -> None:
    """Detach from rt's streams: if something fails here, the whole process that is started instead reports it."""
    if not os.environ.get("RT_DEBUG_TRACEBACK"):
        null = os.open("/dev/null", os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        os.close(null)
