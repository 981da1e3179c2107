"""rt's end of the guardian: start it, have it start and signal scripts, hear how they ended.

Nothing here waits for a script. When the guardian itself is killed, its scripts fall to rt, which is a subreaper too, and
`kill_everything` still ends them.
"""

from __future__ import annotations

import _socket
import os
import sys

from .. import _native, protocol
from . import signals
from .outcomes import refusal
from .process_tree import kill_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..engine_worker.zygote import ProgramHost


class GuardianClient:
    """A running guardian. `fileno` is readable when `receive` has something to say."""

    def __init__(
        self,
        *,
        share_terminal: bool,
        held_back: int = 0,
        grace_s: float = 5.0,
        program_host: ProgramHost | None = None,
    ) -> None:
        """Fork the guardian.

        With `share_terminal`, scripts join rt's own process group and session, so that they may read the terminal and get
        its Ctrl-C and Ctrl-Z first hand; otherwise each leads a group of its own, out of the terminal's reach. What is
        pending for rt of the signals in the mask `held_back` when a script joins the group is given to the script too, and
        STARTED says so: rt takes none of them between `spawn` and STARTED. `grace_s` is how long what a script left behind
        may take to end after its group was told to. `program_host` runs source files in engine workers, once `prepare` has
        asked for that. Raises Failed.
        """
        _native.become_subreaper()
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
        ignored = signals.ignored_signals()
        self._base = dict(os.environ)
        shared_group = os.getpgrp() if share_terminal else None
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            self.pid = os.fork()
        except OSError as error:
            raise refusal(error.errno or 0, error.strerror or "", None) from error
        if self.pid == 0:
            ours.close()
            os.setpgid(0, 0) if share_terminal else os.setsid()
            from .guardian import Guardian

            guardian = Guardian(
                theirs,
                shared_group=shared_group,
                ignored=ignored,
                held_back=held_back,
                grace_s=grace_s,
                program_host=program_host,
            )
            guardian.run()
        theirs.close()
        self._channel = ours
        self._frames = protocol.FrameReader()
        self.lost = False

    def fileno(self) -> int:
        return self._channel.fileno()

    def prepare(self) -> None:
        """Have engine workers made ready, before the first script; those with a `program` then run in one."""
        self._send((protocol.PREPARE,))

    def spawn(
        self,
        key: int,
        *,
        argv: Sequence[str],
        program: Sequence[str] = (),
        environment: Mapping[str, str],
        folder: str,
        descriptors: tuple[int, int, int] | None = None,
    ) -> None:
        """Ask for a script to be started; STARTED or REFUSED with `key` answers.

        `environment` is complete; only its difference to rt's own travels. `descriptors` become the script's 0, 1 and 2
        (None: rt's own); the caller closes its copies.
        """
        base = self._base
        changed = {name: value for name, value in environment.items() if base.get(name) != value}
        removed = [name for name in base if name not in environment]
        passed = descriptors or ()
        self._send((protocol.SPAWN, key, list(argv), list(program), changed, removed, folder, len(passed)), passed)

    def signal(self, number: int, key: int | None = None) -> None:
        """Have signal `number` sent once to the process group of script `key`, or of every script."""
        self._send((protocol.SIGNAL, key, number))

    def kill(self, key: int | None = None) -> None:
        """Have the whole tree of script `key`, or everything, killed at once."""
        self._send((protocol.KILL, key))

    def receive(self) -> list[tuple[Any, ...]]:
        """Return the messages that have arrived; waits for at least some bytes. Sets `lost` when the guardian is gone."""
        try:
            data = self._channel.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            self.lost = True
            return []
        return self._frames.feed(data)

    def close(self) -> None:
        """End the guardian and with it whatever still runs; returns when it is gone."""
        self._channel.close()
        self._reap()

    def kill_everything(self) -> None:
        """End all that is below rt itself, also after the guardian was lost."""
        self.close()
        kill_below(os.getpid(), reap=self._reap_all)

    def _reap(self) -> None:
        try:
            os.waitpid(self.pid, 0)
        except ChildProcessError:
            return

    @staticmethod
    def _reap_all() -> None:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return

    def _send(self, message: tuple[Any, ...], descriptors: Sequence[int] = ()) -> None:
        if self.lost:
            return
        frame = protocol.encode(message)
        try:
            if descriptors:
                packed = b"".join(descriptor.to_bytes(4, sys.byteorder) for descriptor in descriptors)
                sent = self._channel.sendmsg([frame], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
                frame = frame[sent:]
            if frame:
                self._channel.sendall(frame)
        except ConnectionError:
            self.lost = True
