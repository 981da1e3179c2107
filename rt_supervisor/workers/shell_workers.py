"""Forking rt's own shell: a script under `--shell=rt` costs a fork of the guardian, not the start of a program.

The guardian imports the shell once; each script's shell is a copy of the guardian that becomes a process as one that was
started for the script: its group, streams, folder, environment and signals. No signal is lost on the way: all are held back
from before the fork until the copy has made its own arrangements.
"""

from __future__ import annotations

import _signal
import gc
import os
import sys

from ..vocabulary.descriptors import close_what_is_not_inherited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

_FIRST_REAL_TIME = 32
_ALL = range(1, 32)
_MASK_BYTES = 8


def prepare() -> None:
    """Import the shell, so that its copies have it."""
    from ..shell import running  # noqa: F401
    from ..shell.builtins import making, printing, streams  # noqa: F401


def fork_shell(
    program: Sequence[str],
    *,
    environment: Mapping[bytes, bytes],
    folder: str,
    streams: Sequence[int],
    group: int,
    ignored: int,
    witness: tuple[int, int] | None,
) -> tuple[int, int]:
    """Fork a shell that runs `program` (rt's command line: path, "shell", "-c", the text, arguments). Raises OSError.

    It gets `streams` as 0, 1 and 2 (none: this process's own), joins process group `group` (0: one of its own) and keeps
    the signals of the mask `ignored` ignored. `witness` is a process and a mask: which of these signals are pending for
    that process when the shell has joined the group, it raises in itself too. Returns its pid and the mask of those.
    """
    prepare()
    reader, writer = os.pipe() if witness is not None else (-1, -1)
    held_back = _signal.pthread_sigmask(_signal.SIG_BLOCK, _ALL)
    try:
        pid = os.fork()
        if pid == 0:
            _become(program, environment, folder, streams, group, ignored, witness, writer)
    except OSError:
        if reader >= 0:
            os.close(reader)
            os.close(writer)
        raise
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, held_back)
    _join(pid, group or pid)  # both do, so that neither has to wait
    if reader < 0:
        return pid, 0
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        return pid, int.from_bytes(answer.read(_MASK_BYTES), "big")


def _join(pid: int, group: int) -> None:
    try:
        os.setpgid(pid, group)
    except OSError:
        return  # it is past that, or gone


def _become(
    program: Sequence[str],
    environment: Mapping[bytes, bytes],
    folder: str,
    streams: Sequence[int],
    group: int,
    ignored: int,
    witness: tuple[int, int] | None,
    answer: int,
) -> NoReturn:
    status = 70
    try:
        os.setpgid(0, group)
        _signal.set_wakeup_fd(-1)
        for number in range(1, _FIRST_REAL_TIME):
            if number not in (_signal.SIGKILL, _signal.SIGSTOP):
                is_ignored = ignored & (1 << number)
                _signal.signal(number, _signal.SIG_IGN if is_ignored else _signal.SIG_DFL)
        if witness is not None:
            missed = _pending_for(witness[0]) & witness[1]
            for number in range(1, _FIRST_REAL_TIME):
                if missed & (1 << number):
                    os.kill(os.getpid(), number)
            os.write(answer, missed.to_bytes(_MASK_BYTES, "big"))
        for target, descriptor in enumerate(streams):
            os.dup2(descriptor, target)
        close_what_is_not_inherited()
        gc.enable()
        gc.freeze()
        _signal.pthread_sigmask(_signal.SIG_SETMASK, ())
        _show(program)
        _run(program, environment, folder, ignored)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def _run(program: Sequence[str], environment: Mapping[bytes, bytes], folder: str, ignored: int) -> NoReturn:
    from ..shell.running import become_shell

    os.chdir(folder)
    decoded = {os.fsdecode(name): os.fsdecode(value) for name, value in environment.items()}
    title = decoded.get("npm_lifecycle_event", "-c")
    become_shell(program[3], environment=decoded, ignored=ignored, title=title, arguments=program[4:])


def _show(program: Sequence[str]) -> None:
    from .. import _native
    from ..shell.state import encoded

    _native.show_command_line([encoded(word).replace(b"\0", b"?") for word in program])


def _pending_for(pid: int) -> int:
    """The signals that are pending for a process, bit n for signal n."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            for line in file:
                if line.startswith(b"ShdPnd:"):
                    return int(line.split()[1], 16) << 1
    except (OSError, ValueError):
        return 0
    return 0
