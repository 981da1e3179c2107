"""Whether a stream is to have colours: FORCE_COLOR and NO_COLOR decide, else whether it is a terminal that has them."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def wants_colour(descriptor: int, environment: Mapping[str, str]) -> bool:
    """FORCE_COLOR switches colours on (off with 0 or false) whatever else is said, NO_COLOR off unless it is empty."""
    forced = environment.get("FORCE_COLOR")
    if forced is not None:
        return forced not in ("0", "false")
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return os.isatty(descriptor)
