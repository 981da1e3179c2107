"""Why the native run core stopped (`_native.RunStopped`), as a failure that is reported to the user."""

from __future__ import annotations

import os

from ..output.writer import cannot_write
from ..vocabulary.errors import Failed
from ..vocabulary.messages import DESCRIPTOR_LIMIT, GUARDIAN_LOST, GUARDIAN_UNANSWERED
from ..workers.outcomes import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._native import RunStopped


def failure_of(stopped: RunStopped) -> Failed | None:
    """Return the failure to report; None if the output was closed or abandoned, which only ends the run."""
    match stopped.args:
        case ("refused", int() as number, str() as words, path):
            return refusal(number, words, path)
        case ("descriptor-limit",):
            return Failed("descriptor-limit", DESCRIPTOR_LIMIT)
        case ("lost",):
            return Failed("guardian-lost", GUARDIAN_LOST)
        case ("unanswered",):
            return Failed("guardian-lost", GUARDIAN_UNANSWERED)
        case ("output", int() as number):
            return Failed("output-failed", cannot_write(number, os.strerror(number)))
    return None
