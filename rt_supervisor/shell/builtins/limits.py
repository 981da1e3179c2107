"""ulimit, times: the limits and the resource usage of processes (POSIX 2.14, with bash's options)."""

from __future__ import annotations

import os
import resource
from resource import RLIM_INFINITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_PIPE_UNITS = 8  # of 512 bytes, as in bash
# letter: title, displayed unit, its size in bytes (or microseconds), resource; in bash's order
_RESOURCES: dict[str, tuple[str, str, int, str]] = {
    "R": ("real-time non-blocking time", "microseconds", 1, "RTTIME"),
    "c": ("core file size", "blocks", 1024, "CORE"),
    "d": ("data seg size", "kbytes", 1024, "DATA"),
    "e": ("scheduling priority", "", 1, "NICE"),
    "f": ("file size", "blocks", 1024, "FSIZE"),
    "i": ("pending signals", "", 1, "SIGPENDING"),
    "l": ("max locked memory", "kbytes", 1024, "MEMLOCK"),
    "m": ("max memory size", "kbytes", 1024, "RSS"),
    "n": ("open files", "", 1, "NOFILE"),
    "p": ("pipe size", "512 bytes", 1, ""),
    "q": ("POSIX message queues", "bytes", 1, "MSGQUEUE"),
    "r": ("real-time priority", "", 1, "RTPRIO"),
    "s": ("stack size", "kbytes", 1024, "STACK"),
    "t": ("cpu time", "seconds", 1, "CPU"),
    "u": ("max user processes", "", 1, "NPROC"),
    "v": ("virtual memory", "kbytes", 1024, "AS"),
    "x": ("file locks", "", 1, "LOCKS"),
}
_NUMBERS_OF_LINUX = {"RTTIME": 15, "SIGPENDING": 11, "MSGQUEUE": 12, "NICE": 13, "RTPRIO": 14, "LOCKS": 10}
_USAGE = "usage: ulimit [-SHacdefilmnpqrstuvxR] [limit]"


def ulimit(call: Call) -> int:
    """`ulimit [-HS] [-letter [limit]]…`; without -H and -S, sets both limits and shows the soft one."""
    which = ""
    requested: list[tuple[str, str | None]] = []
    waiting = list(call.arguments)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            continue
        if word[:1] != "-" or len(word) < 2:
            requested.append(("f", word))
            continue
        for place, letter in enumerate(word[1:], 2):
            if letter in "HS":
                which += letter
            elif letter == "a":
                requested = [(each, None) for each in _RESOURCES]
                waiting = []
            elif letter in _RESOURCES:
                requested.append((letter, word[place:] or None))
                break
            else:
                call.complain(f"-{letter}: invalid option")
                return call.fail(_USAGE, 2)
        if requested and requested[-1][1] is None and waiting and waiting[0][:1] != "-":
            requested[-1] = (requested[-1][0], waiting.pop(0))
    requested = requested or [("f", None)]
    is_named = len(requested) > 1
    status = 0
    for letter, limit in requested:
        if limit is None:
            _show(call, letter, which, is_named=is_named)
        else:
            status = _set(call, letter, limit, which)
        if status:
            break
    return status


def _show(call: Call, letter: str, which: str, *, is_named: bool) -> None:
    title, unit, size, name = _RESOURCES[letter]
    value = _PIPE_UNITS
    if name:
        value = resource.getrlimit(_number(name))[which[-1:] == "H"]
    shown = "unlimited" if value == RLIM_INFINITY else str(value // size)
    mark = f"({unit}, -{letter}) " if unit else f"(-{letter}) "
    call.out.text(f"{title:<20} {mark:>20}{shown}\n" if is_named else f"{shown}\n")


def _set(call: Call, letter: str, limit: str, which: str) -> int:
    title, _, size, name = _RESOURCES[letter]
    if not name:
        return call.fail(f"{title}: cannot modify limit: Invalid argument")
    soft, hard = resource.getrlimit(_number(name))
    if limit == "unlimited":
        value = RLIM_INFINITY
    elif limit in ("hard", "soft"):
        value = hard if limit == "hard" else soft
    elif limit.isascii() and limit.isdecimal():
        value = int(limit) * size
    else:
        return call.fail(f"{limit}: invalid number")
    # The changes of a subshell are undone when it ends, but a hard limit could not be raised again.
    keeps_hard = not call.shell.is_main and "H" not in which
    sets_soft, sets_hard = "S" in which or not which, ("H" in which or not which) and not keeps_hard
    pair = (value if sets_soft else soft, value if sets_hard else hard)
    try:
        call.shell.session.set_limit(_number(name), pair)
    except (ValueError, OSError, OverflowError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else _reason(pair, hard)
        return call.fail(f"{title}: cannot modify limit: {words}")
    return 0


def _reason(pair: tuple[int, int], hard: int) -> str:
    """Return the system's description of the error; Python has its own."""
    raises = hard != RLIM_INFINITY and (pair[1] == RLIM_INFINITY or pair[1] > hard)
    return "Operation not permitted" if raises else "Invalid argument"


def _number(name: str) -> int:
    return _NUMBERS_OF_LINUX.get(name) or int(getattr(resource, f"RLIMIT_{name}"))


def times(call: Call) -> int:
    """Print the processor time of the shell and of its children, in user and system mode."""
    used = os.times()
    for user, system in ((used.user, used.system), (used.children_user, used.children_system)):
        call.out.text(f"{_minutes(user)} {_minutes(system)}\n")
    return 0


def _minutes(seconds: float) -> str:
    return f"{int(seconds // 60)}m{seconds % 60:.3f}s"
