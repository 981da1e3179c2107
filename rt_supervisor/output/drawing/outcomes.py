"""Describes how a step or task ended, in the same words in every view: on screens, in reports, in JSON."""

from __future__ import annotations

from ...vocabulary.events import Exited, Signaled
from ...vocabulary.signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SIGINT = 2


def sentence(outcome: Exited | Signaled, seconds: float, saved_seconds: float | None = None) -> str:
    """Return "Done in 12 ms", "Exited with code 3", "Signaled with code SIGTERM", "Interrupted" or "Cached, saved 12 ms"."""
    if saved_seconds is not None:
        return f"C{cached(saved_seconds)[1:]}"
    match outcome:
        case Exited(0):
            return f"Done in {duration(seconds, ' ')}"
        case Exited(code):
            return "Interrupted" if is_interruption(outcome) else f"Exited with code {code}"
        case Signaled():
            return "Interrupted" if is_interruption(outcome) else f"Signaled with code {signal_name(outcome.signal)}"


def cached(saved_seconds: float) -> str:
    """Return "cached, saved 12 ms"."""
    return f"cached, saved {duration(saved_seconds, ' ')}"


def sentence_of_end(outcome: Exited | Signaled) -> str:
    """Return "exited with code 3" or "ended by SIGTERM"."""
    match outcome:
        case Exited(code):
            return f"exited with code {code}"
        case Signaled(number):
            return f"ended by {signal_name(number)}"


def is_interruption(outcome: Exited | Signaled) -> bool:
    """Return whether the process ended on request: by Ctrl-C, or by rt itself."""
    return outcome.requested or (isinstance(outcome, Signaled) and outcome.signal == _SIGINT)


def as_json(outcome: Exited | Signaled) -> dict[str, Any]:
    """Return {"outcome": "exited", "code": N} or {"outcome": "signaled", "signal": "SIGTERM", "requested": false}. A failure that
    the user requested by a stop also has "requested": true.
    """
    match outcome:
        case Exited(code, requested):
            return {"outcome": "exited", "code": code} | ({"requested": True} if requested else {})
        case Signaled(number, requested):
            return {"outcome": "signaled", "signal": signal_name(number), "requested": requested}


def duration(seconds: float, space: str = "") -> str:
    """Return "12ms", or "1.23s" from one second on; `space` separates number and unit."""
    return f"{seconds * 1000:.0f}{space}ms" if seconds < 0.9995 else f"{seconds:.2f}{space}s"
