"""The guardian's end of the zygote, the process that forks engine workers: start it, order workers, hear of them.

A worker is a child of the guardian, as every script is, so everything else about it is the guardian's. Each order is
answered once whatever happens to the zygote: what it could not do, or did not live to do, is given back. An order is
never both carried out and given back, because a worker says that it runs before it runs anything, and the pipe of
answers ends only when every process that could still say so is gone.
"""

from __future__ import annotations

import _socket
import os
import select
import sys

from ..vocabulary import protocol
from .process_tree import send
from .signals import SIGKILL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Literal, TypeAlias

    from ..engine_worker.start.zygote import ProgramHost

    Holding: TypeAlias = Literal["nobody", "asked", "held", "gone"]

# What the interpreter, the C library or V8 has looked at before the fork: where a script's differs, it needs a whole rt.
_READ_AT_START = ("PYTHON", "LC_", "LD_", "GLIBC_", "MALLOC_", "ICU_")
_READ_AT_START_EXACTLY = ("LANG", "LANGUAGE", "TZ", "HOME", "XDG_CACHE_HOME")
_BUFFER_BYTES = 1 << 20  # as many orders as can arrive while the zygote makes itself ready; the system may allow less


class ZygoteClient:
    """One zygote; orders are taken until it is lost. `fileno` is readable when `take` has answers.

    `holding` says what is known of the worker that is forked ahead of its order:

    nobody --hold--> asked --HELD--> held --it takes an order--> nobody
                       `--it could not be forked--> nobody
                                      held --it ended without one--> gone --take--> nobody
    """

    def __init__(self, host: ProgramHost, *, group: int, ignored: int) -> None:
        """Fork it; it makes itself ready while this returns. Raises OSError.

        Workers join process group `group` (0: one of their own); signals of the mask `ignored` stay ignored in them.
        """
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        ours.setsockopt(_socket.SOL_SOCKET, _socket.SO_SNDBUF, _BUFFER_BYTES)
        answers, write = os.pipe()
        try:
            self.pid = os.fork()
        except OSError:
            os.close(answers)
            os.close(write)
            raise
        if self.pid == 0:
            from ..engine_worker.start.zygote import Zygote

            Zygote(host, orders=theirs, answers=write, group=group, ignored=ignored).run()
        theirs.close()
        os.close(write)
        os.set_blocking(answers, False)
        self._orders = ours
        self._answers = answers
        self._frames = protocol.FrameReader()
        self._outstanding: dict[int, Callable[[], None]] = {}  # key -> start_whole
        self._forked: dict[int, int] = {}  # pid -> key, of workers that may not have said yet that they run
        self.holding: Holding = "nobody"
        self._held = 0  # the pid of the worker that is held, or gone
        self.is_lost = False

    def fileno(self) -> int:
        return self._answers

    @property
    def held_pid(self) -> int:
        """The worker that waits for the next order, which is then its; 0 without one."""
        return self._held if self.holding in ("held", "gone") else 0

    @property
    def outstanding(self) -> int:
        """How many orders are unanswered."""
        return len(self._outstanding)

    def order(
        self,
        key: int,
        *,
        program: Sequence[str],
        changed: Mapping[str, str],
        removed: Sequence[str],
        folder: str,
        descriptors: Sequence[int],
        start_whole: Callable[[], None],
    ) -> bool:
        """Order a worker for script `key`; False where that has to be a whole process. Never waits.

        What comes of it is told by `take`, with `start_whole` if it has to be a whole process after all.

        The environment is the guardian's own with `changed` and without `removed`. `descriptors` become 0, 1 and 2
        (none: the guardian's own); they stay the caller's, for as long as the order is unanswered.
        """
        if any(map(_is_read_at_start, (*changed, *removed))):
            return False
        order: protocol.Fork = (
            protocol.FORK,
            key,
            list(program),
            dict(changed),
            list(removed),
            folder,
            len(descriptors),
        )
        frame = protocol.encode(order)
        if len(frame) > protocol.LARGEST_ORDER:
            return False
        packed = b"".join(descriptor.to_bytes(4, sys.byteorder) for descriptor in descriptors)
        beside = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)] if descriptors else []
        try:
            self._orders.sendmsg([frame], beside, _socket.MSG_DONTWAIT)
        except OSError:  # it is gone, or has no room for this
            return False
        self._outstanding[key] = start_whole
        return True

    def hold(self) -> None:
        """Have a worker forked that takes the next order. Never waits."""
        if self.holding != "nobody" or self._outstanding or self.is_lost:
            return
        try:
            self._orders.sendmsg([protocol.encode((protocol.HOLD,))], [], _socket.MSG_DONTWAIT)
        except OSError:
            return
        self.holding = "asked"

    def note_ended(self, strangers: Collection[int]) -> None:
        """Note that children of which nobody knows have ended; `take` acts where the held worker is among them."""
        if self.holding == "held" and self._held in strangers:
            self.holding = "gone"

    def take(self, ended: Iterable[int]) -> list[tuple[int, int, Callable[[], None]]]:
        """Return what has been answered since: (key, pid or 0, its `start_whole`, to be called at 0). Never waits.

        `ended` are pids of children that ended without being known: a worker that was killed before it said that it
        runs is among them, and that it has started is then all there is to say. Sets `is_lost`.
        """
        answered: list[tuple[int, int, Callable[[], None]]] = []
        while not self.is_lost:
            try:
                data = os.read(self._answers, 1 << 16)
            except BlockingIOError:
                break
            if not data:
                self._lose()
                answered += [(key, 0, start_whole) for key, start_whole in self._outstanding.items()]
                self._outstanding.clear()
            said: list[protocol.Answer] = self._frames.feed(data)
            for kind, key, pid in said:
                if kind == protocol.HELD:
                    self.holding, self._held = ("held" if pid else "nobody"), pid
                    continue
                if self.holding in ("held", "gone") and pid == self._held:
                    self.holding = "nobody"  # it has taken an order
                if key not in self._outstanding:
                    continue
                if kind == protocol.FORKED:
                    self._forked[pid] = key
                else:
                    answered.append((key, pid, self._outstanding.pop(key)))
        for pid in ended:
            if self._forked.get(pid) in self._outstanding:
                key = self._forked[pid]
                answered.append((key, pid, self._outstanding.pop(key)))
        if self.holding == "gone":
            self.holding = "nobody"
            if self._outstanding:  # whether it had taken the order, nobody can tell: all are given back
                self.kill()
        if not self._outstanding:
            self._forked.clear()
        return answered

    def wait(self, timeout_s: float) -> bool:
        """Wait until `take` has something to do; False when it has nothing by then."""
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        return bool(poll.poll(timeout_s * 1000))

    def kill(self) -> None:
        """Have it end at once; `take` gives back what it has not begun."""
        send(self.pid, SIGKILL)

    def _lose(self) -> None:
        self.is_lost = True
        self._orders.close()
        os.close(self._answers)


def _is_read_at_start(name: str) -> bool:
    return name.startswith(_READ_AT_START) or name in _READ_AT_START_EXACTLY
