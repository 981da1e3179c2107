"""Whether a stream gets colours, and whether errors get hints.

FORCE_COLOR and NO_COLOR decide; without them, a stream gets colours if it is a terminal that has them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..start.dependencies import Variables


def wants_notes(environment: Variables) -> bool:
    """Return whether errors are followed by a hint: where a person reads them, on a terminal or in a CI log."""
    return os.isatty(2) or bool(environment.get("CI") or environment.get("GITHUB_ACTIONS"))


def wants_colour(descriptor: int, environment: Variables) -> bool:
    """Return whether `descriptor` gets colours. FORCE_COLOR enables them (0 and false disable them) and takes precedence;
    NO_COLOR disables them unless it is empty."""
    forced = environment.get("FORCE_COLOR")
    if forced is not None:
        return forced not in ("0", "false")
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return os.isatty(descriptor)
