"""Expected failures: a message that a user can act on, and the exit status.

A `Failure` is a value with a stable kebab-case `reason`; `Failed` carries it up to `cli`, the only place that
prints it (`error: <message>` on stderr). Anything else that is raised is a bug.
"""

from __future__ import annotations

from .record import record

SCRIPT_NOT_FOUND = "script-not-found"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Never, NoReturn


@record
class Failure:
    """The message for the user when rt cannot run a command.

    `message` is printed after `error: ` and may hold several lines; `status` is the exit status, 0 to 255.
    """

    reason: str
    message: str
    status: int = 1


class Failed(Exception):
    """Unwinds to `cli` with the failure to print, and the warnings to print before it, which often say why.

    `hint` is a note on what the user may have meant, printed on a terminal.
    """

    def __init__(
        self, reason: str, message: str, status: int = 1, *, warnings: tuple[str, ...] = (), hint: str = ""
    ) -> None:
        super().__init__(message)
        self.failure = Failure(reason, message, status)
        self.warnings = warnings
        self.hint = hint


def unreachable(value: Never) -> NoReturn:
    """End a `match` that covers all states; the type checker reports a state that is missing."""
    raise AssertionError(f"no such state: {value!r}")


def limit_message(error: BaseException) -> str | None:
    """Return the message for an error that a limit of the system caused; None for any other error."""
    import errno

    if is_descriptor_limit(error):
        return "rt cannot open a file or socket: the limit on open files is reached (see `ulimit -n`)"
    is_process_limit = isinstance(error, OSError) and error.errno == errno.EAGAIN
    if is_process_limit or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
        return "rt cannot start a process or thread that it needs: the limit on processes is reached (see `ulimit -u`)"
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "rt has no memory left (see `ulimit -v`)"
    return None


def is_descriptor_limit(error: BaseException) -> bool:
    """Return whether the limit on open files caused the error, also in an import, whose error has no errno."""
    import errno
    import os

    return any(os.strerror(number) in str(error) for number in (errno.EMFILE, errno.ENFILE))
