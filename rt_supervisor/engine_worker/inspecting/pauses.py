"""The reasons of pauses that rt itself asks V8 for."""

from __future__ import annotations

BREAK_REASON = "Break on start"
"""Before the program's first statement."""
MICROTASK = "Microtask"
"""At the beginning of a promise's reaction."""
