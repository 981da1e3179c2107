"""Whether a stream is to have colours, and errors their notes.

FORCE_COLOR and NO_COLOR decide; without them, whether the stream is a terminal that has colours.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..start.dependencies import Variables


def wants_notes(environment: Variables) -> bool:
    """Whether an error may be followed by what was probably meant: where a person reads, on a terminal or in a CI log."""
    return os.isatty(2) or bool(environment.get("CI") or environment.get("GITHUB_ACTIONS"))


def wants_colour(descriptor: int, environment: Variables) -> bool:
    """FORCE_COLOR switches colours on (off with 0 or false) whatever else is said, NO_COLOR off unless it is empty."""
    forced = environment.get("FORCE_COLOR")
    if forced is not None:
        return forced not in ("0", "false")
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return os.isatty(descriptor)
