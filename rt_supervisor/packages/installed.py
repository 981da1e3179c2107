"""Whether packages are installed in `node_modules`, without reading their files."""

from __future__ import annotations

import os

from ..workspace.manifest import ancestors


def has_node_modules(folder: str) -> bool:
    """Return whether `folder` or a folder above it has a `node_modules`."""
    return any(os.path.isdir(os.path.join(at, "node_modules")) for at in ancestors(folder))


def has_package(name: str, folder: str) -> bool:
    """Return whether a `node_modules` of `folder` or of a folder above it has the package `name`."""
    return any(os.path.isdir(os.path.join(at, "node_modules", name)) for at in ancestors(folder))
