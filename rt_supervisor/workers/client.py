"""rt's end of the guardian: start it, have it start and signal scripts, hear how they ended.

Nothing here waits for a script. When the guardian itself is killed, its scripts fall to rt, which is a subreaper too, and
`kill_everything` still ends them.
"""

from __future__ import annotations

import _socket
import os
import sys

from .. import _native
from ..vocabulary import protocol
from . import signals
from .outcomes import refusal
from .process_tree import kill_below, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..engine_worker.start.zygote import ProgramHost
    from ..plan.model import Step

PATIENCE_S = 6.0  # how long the guardian may take to end everything; it gives up on its own after less


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
        self._base = dict(os.environ)
        self._mark = int.from_bytes(os.urandom(7), "little") | 1 << 56
        self.lost = False
        self._start(
            share_terminal=share_terminal,
            ignored=signals.ignored_signals(),
            held_back=held_back,
            grace_s=grace_s,
            program_host=program_host,
        )

    def _start(
        self, *, share_terminal: bool, ignored: int, held_back: int, grace_s: float, program_host: ProgramHost | None
    ) -> None:
        _native.become_subreaper()
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
        shared_group = os.getpgrp() if share_terminal else None
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # as when it was closed before rt started
                stream.flush()
        try:
            self.pid = os.fork()
        except OSError as error:
            raise refusal(error.errno or 0, error.strerror or "", None) from error
        if self.pid == 0:
            ours.close()
            os.setpgid(0, 0) if share_terminal else os.setsid()
            from .guardian.loop import Guardian

            guardian = Guardian(
                theirs,
                shared_group=shared_group,
                ignored=ignored,
                held_back=held_back,
                grace_s=grace_s,
                program_host=program_host,
                mark=self._mark,
            )
            guardian.run()
        theirs.close()
        self._channel = ours
        self._frames: protocol.FrameReader | _native.ReportReader = protocol.FrameReader()

    def fileno(self) -> int:
        return self._channel.fileno()

    def prepare(self) -> None:
        """Have engine workers made ready, before the first script; those with a `program` then run in one."""
        self._send((protocol.PREPARE,))

    def prepare_shell(self) -> None:
        """Have rt's own shell made ready, before the first script that runs in it."""
        self._send((protocol.PREPARE_SHELL,))

    def hold(self) -> None:
        """Have the next engine worker forked ahead of its order, which it then only has to be told."""
        self._send((protocol.HOLD,))

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
        """Ask for a script to be started; STARTED or REFUSED with `key` answers.

        `direct`, a file and its words, is executed in place of `argv` where the system executes it. `environment` is
        complete; only its difference to rt's own travels. `descriptors` become the script's 0, 1 and 2
        (None: rt's own); the caller closes its copies.
        """
        changed, removed = self._difference(environment)
        passed = descriptors or ()
        commands = (list(argv), list(direct))
        self._send((protocol.SPAWN, key, commands, list(program), dict(changed), removed, folder, len(passed)), passed)

    def _difference(self, environment: Mapping[str, str]) -> tuple[list[tuple[str, str]], list[str]]:
        """Return what makes `environment` of rt's own: the variables to set, and the names of those to remove."""
        base = self._base
        changed = [item for item in environment.items() if base.get(item[0]) != item[1]]
        return changed, [name for name in base if name not in environment]

    def start(self, key: int, step: Step, *, folder: str, descriptors: tuple[int, int, int]) -> None:
        """Ask for a step of a plan to be started, as `spawn`."""
        self.spawn(
            key,
            argv=step.argv,
            direct=step.direct,
            program=step.program,
            environment=step.environment,
            folder=folder,
            descriptors=descriptors,
        )

    def signal(self, number: int, key: int | None = None) -> None:
        """Have signal `number` sent once to the process group of script `key`, or of every script."""
        self.wake()
        self._send((protocol.SIGNAL, key, number))

    def kill(self, key: int | None = None) -> None:
        """Have the whole tree of script `key`, or everything, killed at once."""
        self.wake()
        self._send((protocol.KILL, key))

    def receive(self) -> list[protocol.Report]:
        """Return the messages that have arrived; waits for at least some bytes. Sets `lost` when the guardian is gone."""
        try:
            data = self._channel.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            self.lost = True
            return []
        messages: list[protocol.Report] = self._frames.feed(data)
        return messages

    def wake(self) -> None:
        """Have the guardian go on if somebody stopped it."""
        send(self.pid, signals.SIGCONT)

    def close(self) -> None:
        """End the guardian and with it whatever still runs; returns when it is gone. One that does not end is killed, and
        what it leaves is ended here."""
        self._channel.close()
        if not self._reap(PATIENCE_S):
            send(self.pid, signals.SIGKILL)
            self._reap(None)
            self._end_the_rest()

    def kill_everything(self) -> None:
        """End all that is below rt itself, also after the guardian was lost, or while it is held by a debugger."""
        self._channel.close()
        send(self.pid, signals.SIGKILL)
        self._reap(None)
        self._end_the_rest()

    def _end_the_rest(self) -> None:
        kill_below(os.getpid(), reap=self._reap_all)
        _native.end_marked(self._mark, PATIENCE_S)
        self._reap_all()

    def _reap(self, patience_s: float | None) -> bool:
        """Wait for the guardian's end, so long; False if it goes on."""
        import select

        self.wake()
        try:
            if patience_s is not None:
                descriptor = os.pidfd_open(self.pid)
                poll = select.poll()
                poll.register(descriptor, select.POLLIN)
                is_over = bool(poll.poll(patience_s * 1000))
                os.close(descriptor)
                if not is_over:
                    return False
            os.waitpid(self.pid, 0)
        except (ChildProcessError, ProcessLookupError):
            pass
        return True

    @staticmethod
    def _reap_all() -> None:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return

    def _send(self, message: protocol.Order, descriptors: Sequence[int] = ()) -> None:
        self._send_frame(protocol.encode(message), descriptors)

    def _send_frame(self, frame: bytes, descriptors: Sequence[int]) -> None:
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
