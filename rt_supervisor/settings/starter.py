"""The config file that `rt init` writes: `starter.toml`."""

from __future__ import annotations

import os


def starter_text() -> str:
    """Return the common settings, commented out."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter.toml"), encoding="utf-8") as file:
        return file.read()
