"""One package.json: its location and the fields that rt needs, or the reason why it is invalid.

Reading is native (`native/src/workspace/manifests.rs`) and returns a `Manifest` or a `ManifestProblem`; it does not
raise for the contents of a file. `finding` determines which files belong to a workspace.
"""

from __future__ import annotations

import os

from .._native import Manifest, ManifestProblem, read_manifests
from ..start.dependencies import depend_on

__all__ = ["FILE_NAME", "Manifest", "ManifestProblem", "find_nearest_manifest", "read_manifest", "read_manifests"]

FILE_NAME = "package.json"


def read_manifest(path: str) -> Manifest | ManifestProblem:
    """Read one package.json."""
    return read_manifests((depend_on(path),))[0]


def find_nearest_manifest(folder: str) -> str | None:
    """Return the path of the package.json in `folder` (absolute) or its nearest ancestor, readable or not."""
    for ancestor in ancestors(folder):
        path = os.path.join(ancestor, FILE_NAME)
        if os.path.lexists(depend_on(path)):
            return path
    return None


def ancestors(folder: str) -> list[str]:
    """Return `folder` and the folders above it, innermost first."""
    found = [folder]
    while (parent := os.path.dirname(found[-1])) != found[-1]:
        found.append(parent)
    return found
