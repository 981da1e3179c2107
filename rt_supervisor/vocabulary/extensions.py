"""The extensions of source files, separate so that a start recognises a program before it imports more."""

from __future__ import annotations

# In the order in which they are tried.
EXTENSIONS = (".tsx", ".ts", ".jsx", ".cts", ".cjs", ".js", ".mjs", ".mts", ".json", ".node")
