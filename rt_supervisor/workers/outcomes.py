"""How processes ended, or why they could not be started, as rt's events and failures."""

from __future__ import annotations

import os

from ..vocabulary.errors import Failed
from ..vocabulary.events import Exited, Signaled

GUARDIAN_LOST = "the process that guards rt's scripts was killed; the scripts were ended"
GUARDIAN_UNANSWERED = "the process that guards rt's scripts did not answer; the scripts were ended"
DESCRIPTOR_LIMIT = "cannot open a pipe: the limit on open files is reached (see `ulimit -n`)"


def decode_status(status: int) -> Exited | Signaled:
    """Decode a wait status."""
    code = os.waitstatus_to_exitcode(status)
    return Exited(code) if code >= 0 else Signaled(-code)


def refusal(number: int, words: str, path: str | None) -> Failed:
    """Return the failure for a script that the system did not start, with a remedy."""
    import errno

    subject = f" {path}" if path else ""
    if number == errno.EAGAIN:
        hint = "cannot start another process: the limit on processes is reached (see `ulimit -u`)"
        return Failed("process-limit", hint)
    if number == errno.E2BIG:
        return Failed("arguments-too-long", "cannot start the script: its arguments and environment are too long")
    if number == errno.ENOMEM:
        return Failed("out-of-memory", "cannot start another process: out of memory")
    return Failed("cannot-start", f"cannot start{subject}: {words}")
