"""The guardian: the small process between rt and its scripts that sees to it that none outlives its run.

Forked before anything heavy is imported, it is the parent of every script and, as a subreaper, of every orphan they
leave. It starts scripts, passes signals on, reports how they ended once nothing of them is left, and when its channel to
rt closes - whatever ended rt, `kill -9` included - it kills all that is below it. It never writes to the terminal and
takes orders from `workers.client` only.
"""

from __future__ import annotations

import _signal
import _socket
import errno
import gc
import os
import select
import sys
import time

from .. import _native
from ..vocabulary import protocol
from ..vocabulary.errors import is_descriptor_limit
from . import shell_workers, signals
from .process_tree import children_of, descendants_of, ignores, is_gone, kill_below, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from ..engine_worker.start.zygote import ProgramHost
    from .zygote_client import ZygoteClient

SCRIPT_MARK = "_RT_SCRIPT"
LEFTOVER_GRACE_S = 0.1
KILL_DEADLINE_S = 2.0
MOST_DESCRIPTORS = 3
SPAWNER_THREADS = 3
MOST_STARTING = 16
MOST_ORDERED = 256  # workers; each order under way holds descriptors, too
OWN_DESCRIPTORS = 24
ZYGOTE_PATIENCE_S = 0.5  # how long a signal waits for scripts whose workers are still being made
_SHIELDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGTSTP", "SIGTTOU", "SIGTTIN", "SIGALRM")


class Script:
    """One started script: RUNNING until its process ends, then LEAVING while what it left behind is ended, then gone.

    RUNNING --main process ended--> LEAVING --nothing left or grace over--> (forgotten)
    """

    def __init__(self, key: int, pid: int) -> None:
        self.key = key
        self.pid = pid
        self.told: int | None = None  # the last ending signal its group was sent
        self.ended: tuple[int, float, int] | None = None  # wait status, CPU seconds, peak bytes
        self.killed_at: float | None = None  # when leftovers get SIGKILL
        self.being_killed = False


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
        self._shared_group = shared_group
        self._ignored = ignored
        self._grace_s = grace_s
        self._frames = protocol.FrameReader()
        self._descriptors: list[int] = []
        self._program_host = program_host
        self._zygote: ZygoteClient | None = None
        self._most_ordered = 0
        self._spawner: _native.Spawner | None = None
        self._poll = select.poll()
        self._ordered: dict[int, list[int]] = {}  # starts under way: key -> the descriptors to close then
        self._scripts: dict[int, Script] = {}
        self._by_pid: dict[int, Script] = {}
        self._leaving: dict[int, Script] = {}
        self._ended_early: dict[int, tuple[int, float, int]] = {}  # ended before the spawner said that they started
        self._environment = dict(os.environb)
        self._pid = os.getpid()
        self._rt = os.getppid()
        self._held_back = held_back
        self._own_mark = mark  # on this process, so on all that it starts
        self._watcher = 0  # sees to the end of everything if both rt and this process are killed

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
            for descriptor, _ in self._poll.poll(self._timeout_ms()):
                if descriptor == wake:
                    os.read(wake, 4096)
                elif descriptor == self._channel.fileno():
                    if not self._take_orders():
                        return
                elif self._spawner is not None and descriptor == self._spawner.fileno():
                    self._take_answers()
                else:
                    self._hear_zygote()
            self._reap()
            if self._ended_early:
                self._hear_zygote()  # a worker may have been killed before it said that it runs
            self._finish_leaving()

    def _timeout_ms(self) -> float | None:
        leaving = [script.killed_at for script in self._leaving.values() if script.killed_at is not None]
        return max(1.0, (min(leaving) - time.monotonic()) * 1000) if leaving else None

    # --- orders

    def _take_orders(self) -> bool:
        """Carry out what has arrived; False when the channel is closed."""
        self._settle(MOST_STARTING)  # each start under way holds descriptors
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
        for message in self._frames.feed(data):
            match message:
                case (protocol.SPAWN, *order):
                    self._spawn(*order)
                case (protocol.PREPARE,):
                    self._prepare()
                case (protocol.PREPARE_SHELL,):
                    shell_workers.prepare()
                case (protocol.SIGNAL, key, number):
                    self._settle()
                    for script in self._chosen(key):
                        self._signal(script, number)
                case (protocol.KILL, None):
                    self._kill_everything()
                case (protocol.KILL, key):
                    self._settle()
                    for script in self._chosen(key):
                        self._kill(script)
        return True

    def _chosen(self, key: int | None) -> list[Script]:
        if key is None:
            return list(self._scripts.values())
        return [self._scripts[key]] if key in self._scripts else []

    def _spawn(
        self,
        key: int,
        argv: list[str],
        program: list[str],
        changed: dict[str, str],
        removed: list[str],
        folder: str,
        passed: int,
    ) -> None:
        changed[SCRIPT_MARK] = self._mark(key)
        received, self._descriptors = self._descriptors[:passed], self._descriptors[passed:]
        self._ordered[key] = received
        if len(received) < passed:
            self._answered(key, 0, 0, errno.EMFILE, os.strerror(errno.EMFILE), None)
            return

        def start_whole() -> None:
            self._start_process(key, argv, changed, removed, folder)

        if protocol.is_shell(program):
            if not self._fork_shell(key, program, changed, removed, folder):
                start_whole()
            return
        if not program or not self._order_worker(key, program, changed, removed, folder, start_whole):
            start_whole()

    def _start_process(
        self, key: int, argv: list[str], changed: dict[str, str], removed: list[str], folder: str
    ) -> None:
        environment = self._environment_with(changed, removed)
        streams = self._ordered[key]
        try:
            if self._spawner is None:
                self._spawner = _native.Spawner(SPAWNER_THREADS if self._shared_group is None else 1)
                self._poll.register(self._spawner.fileno(), select.POLLIN)
            self._spawner.submit(
                key,
                [os.fsencode(word) for word in argv],
                [name + b"=" + value for name, value in environment.items()],
                os.fsencode(folder),
                (streams[0], streams[1], streams[2]) if streams else (0, 1, 2),
                self._group,
                self._ignored,
                None if self._shared_group is None else (self._rt, self._held_back),
            )
        except ValueError as error:
            self._answered(key, 0, 0, 0, str(error), None)
        except OSError as error:
            self._answered(key, 0, 0, error.errno or 0, error.strerror or "", None)
        import resource  # noqa: F401 - wait4 needs it, and now there is time: not when a script has ended

    def _take_answers(self) -> None:
        for answer in self._spawner.take() if self._spawner is not None else ():
            self._answered(*answer)

    def _answered(self, key: int, pid: int, given: int, error: int, words: str, path: str | None) -> None:
        for descriptor in self._ordered.pop(key):
            os.close(descriptor)
        if pid == 0:
            self._report(protocol.REFUSED, key, error, words, path)
        else:
            script = self._scripts[key] = Script(key, pid)
            self._report(protocol.STARTED, key, pid, given)
            self._start_watcher()
            if pid in self._ended_early:
                self._note_end(script, self._ended_early.pop(pid))
            else:
                self._by_pid[pid] = script
        if not self._ordered:
            self._ended_early.clear()

    def _settle(self, at_most: int = 0) -> None:
        """Wait until at most so many starts are under way; at none, what follows reaches every script."""
        if at_most == 0:
            self._settle_zygote()
        if self._spawner is not None and len(self._ordered) > at_most:
            self._spawner.settle(at_most)
            self._take_answers()

    # --- shells

    def _fork_shell(
        self, key: int, program: list[str], changed: dict[str, str], removed: list[str], folder: str
    ) -> bool:
        """Fork rt's own shell for script `key`; False where that cannot be."""
        witness = None if self._shared_group is None else (self._rt, self._held_back)
        try:
            pid, given = shell_workers.fork_shell(
                program,
                environment=self._environment_with(changed, removed),
                folder=folder,
                streams=self._ordered[key],
                group=self._group,
                ignored=self._ignored,
                witness=witness,
            )
        except OSError:
            return False
        self._answered(key, pid, given, 0, "", None)
        return True

    def _environment_with(self, changed: dict[str, str], removed: list[str]) -> dict[bytes, bytes]:
        environment = dict(self._environment)
        for name in removed:
            environment.pop(os.fsencode(name), None)
        for name, value in changed.items():
            environment[os.fsencode(name)] = os.fsencode(value)
        return environment

    # --- engine workers

    @property
    def _group(self) -> int:
        return protocol.OWN_GROUP if self._shared_group is None else self._shared_group

    def _prepare(self) -> None:
        """Start the zygote, while this process still has one thread only; without one there are whole processes."""
        if self._program_host is None or self._zygote is not None or self._spawner is not None:
            return
        from resource import RLIMIT_NOFILE, getrlimit

        from .zygote_client import ZygoteClient

        limit = getrlimit(RLIMIT_NOFILE)[0]
        spare = limit - OWN_DESCRIPTORS - MOST_STARTING * MOST_DESCRIPTORS
        self._most_ordered = MOST_ORDERED if limit < 0 else min(MOST_ORDERED, spare // MOST_DESCRIPTORS)
        try:
            self._zygote = ZygoteClient(self._program_host, group=self._group, ignored=self._ignored)
            self._poll.register(self._zygote.fileno(), select.POLLIN)
        except OSError:
            return

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
            descriptors=self._ordered[key],
            start_whole=start_whole,
        )

    def _hear_zygote(self) -> None:
        zygote = self._zygote
        if zygote is None:
            return
        answers = zygote.take(self._ended_early)
        if zygote.is_lost:
            self._poll.unregister(zygote.fileno())  # before its number can be another descriptor's
            self._zygote = None
        for key, pid, start_whole in answers:
            if pid:
                self._answered(key, pid, 0, 0, "", None)
            else:
                start_whole()

    def _settle_zygote(self) -> None:
        while self._zygote is not None and self._zygote.outstanding:
            if not self._zygote.wait(ZYGOTE_PATIENCE_S):
                self._zygote.kill()
            self._reap()
            self._hear_zygote()

    def _kill_everything(self) -> None:
        self._settle()
        for script in self._scripts.values():
            script.being_killed = True
        kill_below(self._pid, reap=self._reap)
        _native.end_marked(self._own_mark, KILL_DEADLINE_S)
        self._watcher = 0

    def _start_watcher(self) -> None:
        if self._watcher == 0:
            try:
                self._watcher = _native.watch_over(self._rt, self._own_mark)
            except OSError:
                self._watcher = -1  # the limit on processes; the scripts are what matters

    def _mark(self, key: int) -> str:
        return f"{self._pid}.{key}"

    def _signal(self, script: Script, number: int) -> None:
        """Send `number` to the script's group once; a stopped process is continued so that it can act on its end."""
        if script.ended is not None:
            return
        if number in (signals.SIGINT, signals.SIGTERM, signals.SIGHUP):
            script.told = number
        wakes = number in (signals.SIGTERM, signals.SIGHUP)
        if self._shared_group is None:
            for each in (number, signals.SIGCONT) if wakes else (number,):
                try:
                    os.killpg(script.pid, each)
                except (ProcessLookupError, PermissionError):
                    return
            return
        # What lies below a process that left the group - the guardian of another rt - has somebody else to tell it.
        for pid in descendants_of([self._pid], within=lambda pid: _group_of(pid) == self._shared_group):
            send(pid, number)

    def _kill(self, script: Script) -> None:
        script.being_killed = True
        mine = {script.pid, *self._leftovers_of(script)}
        kill_below(self._pid, spare=lambda pid: pid not in mine, reap=self._reap)

    # --- ends

    def _reap(self) -> None:
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            end = (status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
            script = self._by_pid.pop(pid, None)
            if script is not None:
                self._note_end(script, end)
            elif self._ordered:
                self._ended_early[pid] = end

    def _note_end(self, script: Script, end: tuple[int, float, int]) -> None:
        script.ended = end
        self._leaving[script.key] = script

    def _finish_leaving(self) -> None:
        """Report each ended script once nothing it left behind is alive: asked to end first, killed after the grace."""
        now = time.monotonic()
        for script in list(self._leaving.values()):
            leftovers = [pid for pid in self._leftovers_of(script) if not is_gone(pid)]
            if leftovers and (script.being_killed or (script.killed_at is not None and now >= script.killed_at)):
                self._kill(script)
                leftovers = []
            if not leftovers:
                del self._scripts[script.key], self._leaving[script.key]
                assert script.ended is not None
                self._report(protocol.ENDED, script.key, *script.ended)
            elif script.killed_at is None:
                self._ask_to_end(script, leftovers, now)

    def _ask_to_end(self, script: Script, leftovers: list[int], now: float) -> None:
        """Have what a script left behind end: what its group was told already has as long as the script had."""
        script.killed_at = now + (LEFTOVER_GRACE_S if script.told is None else self._grace_s)
        group = script.pid if self._shared_group is None else self._shared_group
        for pid in dict.fromkeys((*leftovers, *descendants_of(leftovers))):
            was_told = script.told is not None and _group_of(pid) == group
            if not was_told or (script.told == signals.SIGINT and ignores(pid, signals.SIGINT)):
                send(pid, signals.SIGTERM)
                send(pid, signals.SIGCONT)

    def _leftovers_of(self, script: Script) -> list[int]:
        """Return the adopted processes that came from `script`: by its process group or by the mark in their environment."""
        own = self._zygote.pid if self._zygote is not None else 0
        orphans = [pid for pid in children_of(self._pid) if pid not in self._by_pid and pid not in (own, self._watcher)]
        is_alone = len(self._scripts) == 1 and not self._ordered
        if not orphans or self._shared_group is not None or is_alone:
            return orphans
        mark = f"{SCRIPT_MARK}={self._mark(script.key)}".encode()
        return [pid for pid in orphans if _group_of(pid) == script.pid or mark in _environment_of(pid)]

    def _report(self, *message: Any) -> None:
        try:
            self._channel.sendall(protocol.encode(message))
        except OSError:
            return  # rt is gone: the next read of the channel says so


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return -1


def _environment_of(pid: int) -> list[bytes]:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []
