"""How processes ended, or why they could not be started, as rt's events and failures."""

from __future__ import annotations

import errno
import os

from ..start.decision import Refusals
from ..vocabulary import messages
from ..vocabulary.errors import Failed
from ..vocabulary.events import Exited, Signaled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_REFUSALS = {
    errno.EAGAIN: messages.PROCESS_LIMIT,
    errno.E2BIG: messages.ARGUMENTS_TOO_LONG,
    errno.ENOMEM: messages.OUT_OF_MEMORY,
}


def decode_status(status: int) -> Exited | Signaled:
    """Decode a wait status."""
    code = os.waitstatus_to_exitcode(status)
    return Exited(code) if code >= 0 else Signaled(-code)


def refusal(number: int, words: str, path: str | None) -> Failed:
    """Return the failure for a script that the system did not start, with a remedy."""
    match number:
        case errno.EAGAIN:
            return Failed("process-limit", _REFUSALS[number])
        case errno.E2BIG:
            return Failed("arguments-too-long", _REFUSALS[number])
        case errno.ENOMEM:
            return Failed("out-of-memory", _REFUSALS[number])
    message = messages.CANNOT_START_FILE if path else messages.CANNOT_START
    return Failed("cannot-start", messages.fill(message, path=path or "", reason=words))


def refusals(line: Callable[[str], str]) -> Refusals:
    """Return the messages of `refusal` for native code; `line` makes a message a line of output."""
    return Refusals(
        {number: line(message) for number, message in _REFUSALS.items()},
        other=line(messages.CANNOT_START),
        other_file=line(messages.CANNOT_START_FILE),
    )
