"""The runtime's own scripts, as V8 names them (`native/src/v8/inspector/client.rs`)."""

from __future__ import annotations

INTERNAL = "node:internal/rt/"
"""What their URLs start with."""
