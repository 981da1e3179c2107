"""Children that a program waits for (`RT.spawnSync`): run to their end, their output gathered, their tree ended.

A child leads a process group of its own; whatever is left of it when it has ended, or when rt ends, is killed.
"""

from __future__ import annotations

import os

from ... import _native
from ..problems import SystemCallFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker


def run(worker: EngineWorker, request: Any) -> list[Any]:
    """Return [pid, exit code or null, signal or null, stdout, stderr, timed out, resource usage].

    `request` holds argv, cwd, env (pairs), stdin (bytes or a word), stdout, stderr ("pipe", "inherit", "ignore" or a
    descriptor), timeout in ms or -1 and the signal it sends.
    """
    import resource
    import subprocess

    worker.output.flush()
    asked = request.to_python()
    argv = [str(each) for each in asked["argv"]]
    data = bytes(asked["stdin"]) if isinstance(asked["stdin"], bytes | bytearray | memoryview) else None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        child = subprocess.Popen(
            argv,
            executable=asked["file"],
            cwd=asked["cwd"],
            env=dict(asked["env"]),
            stdin=subprocess.PIPE if data is not None else _stream(asked["stdin"]),
            stdout=_stream(asked["stdout"]),
            stderr=_stream(asked["stderr"]),
            process_group=0,
        )
    except OSError as error:
        raise SystemCallFailed(error, "posix_spawn", argv[0]) from error
    timed_out = False
    try:
        wait = asked["timeout"] / 1000 if asked["timeout"] >= 0 else None
        try:
            out, err = child.communicate(data, timeout=wait)
        except subprocess.TimeoutExpired:
            timed_out = True
            child.send_signal(int(asked["signal"]))
            out, err = child.communicate()
    finally:
        _end_group(child.pid)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = child.returncode
    return [
        child.pid,
        status if status >= 0 else _native.null,
        -status if status < 0 else _native.null,
        out,
        err,
        timed_out,
        [int((after.ru_utime - before.ru_utime) * 1e6), int((after.ru_stime - before.ru_stime) * 1e6), after.ru_maxrss],
    ]


def _stream(word: Any) -> int | None:
    import subprocess

    if isinstance(word, int):
        return word
    return {"pipe": subprocess.PIPE, "ignore": subprocess.DEVNULL, "inherit": None}[word]


def _end_group(group: int) -> None:
    try:
        os.killpg(group, 9)
    except (ProcessLookupError, PermissionError):
        return
