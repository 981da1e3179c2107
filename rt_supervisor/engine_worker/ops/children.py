"""What `js/node/child_process/launch.js` asks of the host: start children of the program, tell of their ends, wait for one.

A child is started natively with exactly the descriptors that were asked for. Its end comes through a descriptor of its
own (pidfd) in the loop's poll, never as a signal. All but detached ones are under `child_guard`.
"""

from __future__ import annotations

import os

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import HostWithChildren

STANDARD = 3
DEFAULT_PATH = "/usr/local/bin:/bin:/usr/bin"


def operations(worker: HostWithChildren) -> dict[str, Any]:
    allow_many_descriptors()

    def spawn(request: dict[str, Any], callback: Any) -> list[Any]:
        """Start a child: [pid, own ends of its pipes (null where there is none)] or [negative errno].

        `callback(exit code or null, signal or null, usage)` is called when it has ended.
        """
        try:
            child = Started(worker, request)
        except OSError as error:
            return [-(error.errno or 0)]

        def ended() -> None:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                worker.loop.unwatch_last(child.watch)
                os.close(child.watch)
                for end in child.ends[1:]:  # what it has written comes before its end
                    if end is not None:
                        worker.loop.look(end)
                worker.entry.invoke("call", callback, *how_ended(status), usage_of(usage))

        worker.loop.watch_last(child.watch, ended)
        return [child.pid, [_native.null if end is None else end for end in child.ends]]

    def run_to_end(request: dict[str, Any], given: bytes) -> Any:
        from .children_waiting import run

        return run(worker, request, given)

    return {"spawn": (spawn, "cv"), "runToEnd": (run_to_end, "cb")}


class Started:
    """A child that has been started: its pid, the descriptor that tells of its end, and our ends of its pipes.

    `request` holds file, argv, env (NAME=value), path (where to look for file), cwd ("" for ours), detached, uid, gid
    (negative: ours) and stdio, for each of its descriptors one of ours, or "pipe", "output" (a pipe that the child may
    open anew by /dev/fd), "socket" or "ignore". Raises OSError.
    """

    def __init__(self, worker: HostWithChildren, request: dict[str, Any]) -> None:
        worker.output.flush()
        guard = worker.child_guard
        if not request["detached"]:
            guard.ensure()
        self.ends: list[int | None] = []
        theirs: list[int] = []
        passed: list[int] = []
        try:
            for place, word in enumerate(request["stdio"]):
                passed.append(self._descriptor(place, word, theirs))
            self.pid = _native.spawn_child(
                [encoded(program) for program in candidates(request["file"], request["path"])],
                [encoded(word) for word in request["argv"]],
                [encoded(entry) for entry in request["env"]],
                encoded(request["cwd"]),
                passed,
                ignored_signals(),
                new_session=request["detached"],
                mark=None if request["detached"] else guard.mark,
                user=request["uid"] if request["uid"] >= 0 else None,
                group=request["gid"] if request["gid"] >= 0 else None,
            )
            self.watch = self._pidfd()
        except BaseException:
            for end in self.ends:
                if end is not None:
                    os.close(end)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def _pidfd(self) -> int:
        try:
            return os.pidfd_open(self.pid)
        except OSError:
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
            raise

    def _descriptor(self, place: int, word: int | str, theirs: list[int]) -> int:
        """Return what the child gets at `place`; what was made for it is added to `theirs`, our end to `ends`."""
        self.ends.append(None)
        if isinstance(word, int):
            if word >= STANDARD:  # it may be our end of another child's pipe, which does not block
                os.set_blocking(word, True)
            return word
        if word == "ignore":
            if place >= STANDARD:
                return -1
            given = os.open(os.devnull, os.O_RDWR)
        else:
            ours, given = _pair(place, word)
            os.set_blocking(ours, False)
            self.ends[place] = ours
        theirs.append(given)
        return given


def _pair(place: int, word: str) -> tuple[int, int]:
    """Return our end and the child's."""
    if word == "output":
        return os.pipe()
    if word == "socket" or place >= STANDARD:
        import _socket

        first, second = _socket.socketpair()
        return first.detach(), second.detach()
    read, write = os.pipe()
    return (write, read) if place == 0 else (read, write)


def allow_many_descriptors() -> None:
    """Raise the limit on open files as far as it goes, as Node does: each child takes several."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def candidates(file: str, path: str | None) -> list[str]:
    """Return where a program may be, in the order of execvp(3)."""
    if "/" in file:
        return [file]
    return [f"{folder}/{file}" if folder else file for folder in (path or DEFAULT_PATH).split(":")]


def encoded(text: str) -> bytes:
    """Return the bytes of a name or argument; what has none becomes U+FFFD."""
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def ignored_signals() -> int:
    """Return a mask of the signals that rt was started with ignored (`nohup`), which its children ignore, too."""
    import _signal

    numbers = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM)
    return sum(1 << number for number in numbers if _signal.getsignal(number) == _signal.SIG_IGN)


def how_ended(status: int) -> tuple[Any, Any]:
    """Return exit code and signal of a wait status, one of them null."""
    code = os.waitstatus_to_exitcode(status)
    return (code, _native.null) if code >= 0 else (_native.null, -code)


def usage_of(used: Any) -> list[int]:
    """Return times in us, peak memory in KiB and the counts of getrusage(2), in the order `js/rt/usage.js` reads."""
    return [
        int(used.ru_utime * 1e6),
        int(used.ru_stime * 1e6),
        used.ru_maxrss,
        used.ru_ixrss,
        used.ru_nswap,
        used.ru_inblock,
        used.ru_oublock,
        used.ru_msgsnd,
        used.ru_msgrcv,
        used.ru_nsignals,
        used.ru_nvcsw,
        used.ru_nivcsw,
    ]
