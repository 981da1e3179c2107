"""Expected failures: what went wrong in words a user can act on, and the exit status it means.

A `Failure` is a value with a stable kebab-case `reason`; `Failed` carries it up to `cli`, the only place that
prints it (`error: <message>` on stderr). Anything else that is raised is a bug.
"""

from __future__ import annotations

from .record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Never, NoReturn


@record
class Failure:
    """What rt tells the user when it cannot do what was asked.

    `message` is printed after `error: ` and may hold several lines; `status` is the exit status, 0 to 255.
    """

    reason: str
    message: str
    status: int = 1


class Failed(Exception):
    """Unwinds to `cli` with the failure to print, and the warnings to print before it, which often say why.

    `hint` is what a person might have meant: a note for those who read the error on a terminal.
    """

    def __init__(
        self, reason: str, message: str, status: int = 1, *, warnings: tuple[str, ...] = (), hint: str = ""
    ) -> None:
        super().__init__(message)
        self.failure = Failure(reason, message, status)
        self.warnings = warnings
        self.hint = hint


def unreachable(value: Never) -> NoReturn:
    """Stand at the end of a `match` over states that is to cover all of them; the type checker sees to it that it does."""
    raise AssertionError(f"no such state: {value!r}")


def limit_met(error: BaseException) -> str | None:
    """What to say where a limit of the system is what went wrong, wherever it was met; None for anything else."""
    import errno

    if is_descriptor_limit(error):
        return "rt cannot open what it needs: the limit on open files is reached (see `ulimit -n`)"
    is_process_limit = isinstance(error, OSError) and error.errno == errno.EAGAIN
    if is_process_limit or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
        return "rt cannot start a process or thread that it needs: the limit on processes is reached (see `ulimit -u`)"
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "rt has no memory left (see `ulimit -v`)"
    return None


def is_descriptor_limit(error: BaseException) -> bool:
    """Tell whether the limit on open files is what went wrong, also where an import met it (which has no errno)."""
    import errno
    import os

    return any(os.strerror(number) in str(error) for number in (errno.EMFILE, errno.ENFILE))
