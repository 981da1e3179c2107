"""rt's end of the native guardian (`native/start/src/guardian.rs`): for several scripts that are all processes of their own.

It has no zygote and forks no shell; where a run has programs or rt's own shell, `GuardianClient` has a guardian that does.
"""

from __future__ import annotations

import _socket

from .. import _native
from .client import GuardianClient
from .outcomes import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..engine_worker.start.zygote import ProgramHost
    from ..vocabulary import protocol

THREADS = 3


class NativeGuardianClient(GuardianClient):
    """A running native guardian. It has messages of its own; otherwise it is used as `GuardianClient` is."""

    def __init__(self, *, grace_s: float) -> None:
        """Start it; each script leads a group of its own. Raises Failed."""
        super().__init__(share_terminal=False, grace_s=grace_s)

    def _start(
        self, *, share_terminal: bool, ignored: int, held_back: int, grace_s: float, program_host: ProgramHost | None
    ) -> None:
        try:
            self.pid, channel = _native.start_guardian(ignored, self._mark, THREADS, int(grace_s * 1000))
        except OSError as error:
            raise refusal(error.errno or 0, error.strerror or "", None) from error
        self._channel = _socket.socket(fileno=channel)
        self._frames = _native.ReportReader()

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
        """Ask for a script to be started, as the other client does; `program` is not looked at."""
        changed, removed = self._difference(environment)
        passed = descriptors or ()
        try:
            order = _native.spawn_order(key, argv, direct, changed, removed, folder, len(passed))
        except UnicodeEncodeError as error:
            order, passed = _native.refuse_order(key, str(error)), ()
        self._send_frame(order, passed)

    def _send(self, message: protocol.Order, descriptors: Sequence[int] = ()) -> None:
        match message:
            case ("signal", key, number):
                self._send_frame(_native.signal_order(key, number), ())
            case ("kill", key):
                self._send_frame(_native.kill_order(key), ())
            case _:
                raise ValueError(f"{message[0]} is nothing for this guardian")
