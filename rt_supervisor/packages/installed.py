"""What lies in folders called `node_modules`, asked without reading anything of it."""

from __future__ import annotations

import os

from ..workspace.manifest import ancestors


def has_node_modules(folder: str) -> bool:
    """Whether `folder` or one above it has packages installed."""
    return any(os.path.isdir(os.path.join(at, "node_modules")) for at in ancestors(folder))


def has_package(name: str, folder: str) -> bool:
    """Whether `folder` or one above it has the package `name` installed."""
    return any(os.path.isdir(os.path.join(at, "node_modules", name)) for at in ancestors(folder))
