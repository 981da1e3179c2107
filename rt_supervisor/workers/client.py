"""rt's end of the channel to the guardian (`native/guardian/src/guardian.rs`): forks it, sends orders, and reads reports.

No method waits for a script. If the guardian is killed, its scripts become children of rt, which is also a subreaper,
and `kill_everything` still ends them. A run of several scripts passes its guardian to the native run core.
"""

from __future__ import annotations

import _socket
import os
import sys

from .. import _native
from . import signals
from .outcomes import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..vocabulary import protocol
    from .zygote import Host

STARTING_THREADS = 3


class GuardianClient:
    """A running guardian. `fileno` becomes readable when `receive` has something to return."""

    def __init__(
        self,
        *,
        share_terminal: bool,
        held_back: int = 0,
        grace_s: float = 5.0,
        hosts: Mapping[protocol.Kind, Host] | None = None,
    ) -> None:
        """Fork the guardian.

        With `share_terminal`, scripts join rt's own process group and session, so that they may read the terminal and
        receive its Ctrl-C and Ctrl-Z directly; otherwise each leads its own group, which the terminal does not reach. A
        script that joins the group also receives the signals of the mask `held_back` that are pending for rt then, and
        STARTED lists them: rt must not handle any of them between `spawn` and STARTED. `grace_s` is how long leftovers
        of a script may run after its group received a signal to end. `hosts` are the kinds of scripts that its zygotes
        can run; they fork workers after `prepare`. Raises Failed.
        """
        self._base = dict(os.environ)
        self._mark = int.from_bytes(os.urandom(7), "little") | 1 << 56
        self.lost = False
        self._is_handed_over = False
        become_zygote = None
        if hosts:
            from .zygote import zygote_starter

            become_zygote = zygote_starter(hosts)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # None if it was closed before rt started
                stream.flush()
        try:
            self.pid, channel = _native.start_guardian(
                shared_group=os.getpgrp() if share_terminal else None,
                ignored=signals.ignored_signals(),
                held_back=held_back,
                mark=self._mark,
                threads=0 if share_terminal else STARTING_THREADS,
                grace_ms=int(grace_s * 1000),
                zygotes=list(hosts or ()),
                become_zygote=become_zygote,
            )
        except OSError as error:
            raise refusal(error.errno or 0, error.strerror or "", None) from error
        self._channel = _socket.socket(fileno=channel)
        self._reports = _native.ReportReader()

    def fileno(self) -> int:
        return self._channel.fileno()

    def prepare(self, kind: protocol.Kind) -> None:
        """Prepare the zygote of that kind; later scripts with a `program` run in its workers."""
        self._send(_native.prepare_order(kind))

    def hold(self) -> None:
        """Fork the next engine worker ahead of its order."""
        self._send(_native.hold_order())

    def spawn(
        self,
        key: int,
        *,
        argv: Sequence[str],
        direct: Sequence[str] = (),
        program: Sequence[str] = (),
        environment: Mapping[str, str],
        folder: str,
        descriptors: tuple[int, int, int] | None = None,
    ) -> None:
        """Order the start of a script, which is answered by STARTED or REFUSED with `key`.

        `direct`, a file and its arguments, is executed instead of `argv` if the system can execute it. `program` is the
        equivalent command line of rt, if a zygote's worker can run it. `environment` is complete; only its difference
        from rt's own is sent. `descriptors` become the script's descriptors 0, 1 and 2 (None: rt's own); the caller
        closes its copies.
        """
        base = self._base
        changed = [item for item in environment.items() if base.get(item[0]) != item[1]]
        removed = [name for name in base if name not in environment]
        passed = descriptors or ()
        try:
            order = _native.spawn_order(key, argv, direct, program, changed, removed, folder, len(passed))
        except UnicodeEncodeError as error:
            order, passed = _native.refuse_order(key, str(error)), ()
        self._send(order, passed)

    def hand_over(self) -> tuple[int, int, int]:
        """Return the pid, channel and mark of the guardian for a run core, which must close it."""
        self._is_handed_over = True
        return self.pid, self._channel.detach(), self._mark

    def signal(self, number: int, key: int | None = None) -> None:
        """Send signal `number` to the process group of script `key`, or of every script."""
        self.wake()
        self._send(_native.signal_order(key, number))

    def kill(self, key: int | None = None) -> None:
        """Kill the whole process tree of script `key`, or everything."""
        self.wake()
        self._send(_native.kill_order(key))

    def receive(self) -> Sequence[protocol.Report]:
        """Return the messages that have arrived; waits for at least some bytes. Sets `lost` when the guardian has
        ended."""
        try:
            data = self._channel.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            self.lost = True
            return []
        return self._reports.feed(data)

    def wake(self) -> None:
        """Continue the guardian if a script stopped it."""
        try:
            os.kill(self.pid, signals.SIGCONT)
        except ProcessLookupError:
            return  # the next read of the channel reports that

    def close(self) -> None:
        """End the guardian and whatever still runs, and return when it has ended; does nothing after `hand_over`. A
        guardian that does not end is killed, and rt ends its leftovers."""
        if self._is_handed_over:
            return
        self._channel.close()
        _native.await_guardian(self.pid, self._mark)

    def kill_everything(self) -> None:
        """End all descendants of rt, even if the guardian was killed or a debugger has stopped it."""
        self._channel.close()
        _native.end_guardian(self.pid, self._mark)

    def _send(self, frame: bytes, descriptors: Sequence[int] = ()) -> None:
        if self.lost:
            return
        try:
            if descriptors:
                packed = b"".join(descriptor.to_bytes(4, sys.byteorder) for descriptor in descriptors)
                sent = self._channel.sendmsg([frame], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
                frame = frame[sent:]
            if frame:
                self._channel.sendall(frame)
        except ConnectionError:
            self.lost = True
