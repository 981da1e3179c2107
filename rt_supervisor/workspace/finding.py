"""Finds the workspace around a folder: its root and its packages.

The nearest ancestor package.json with `workspaces` lists the packages; without one, the nearest `pnpm-workspace.yaml`
does; without either, every package.json at or below the folder counts. A package that cannot be read is reported as a
problem and does not raise. `selection` applies filters.
"""

from __future__ import annotations

import os
import time

from .._native import find_packages
from ..vocabulary.errors import Failed
from ..vocabulary.record import record
from .manifest import FILE_NAME, Manifest, ManifestProblem, ancestors, read_manifests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PNPM_FILE_NAME = "pnpm-workspace.yaml"


@record
class Workspace:
    """The result of `find_workspace`.

    `packages` are in listing order: that of the patterns, then of the paths. `root_package` is the package of the root
    folder, if it has one that can be read, whether or not `packages` contains it. `declared` means that a file listed them.
    `watched` are the files and folders that the result depends on, existing or not; they were read after `read_at_ns`
    (since the epoch), which `plan.cache` needs to notice a change.
    """

    root: str
    packages: tuple[Manifest, ...]
    problems: tuple[ManifestProblem, ...]
    declared: bool
    watched: tuple[str, ...]
    read_at_ns: int
    root_package: Manifest | None = None

    def display_name(self, package: Manifest) -> str:
        """Return the package's name or, without one, its folder relative to the root."""
        return package.name or os.path.relpath(package.folder, self.root)


def find_workspace(cwd: str) -> Workspace:
    """Find the workspace around the absolute folder `cwd`. Raises Failed if its own package.json is invalid."""
    read_at_ns = time.time_ns()
    folders = ancestors(cwd)
    paths = [os.path.join(folder, FILE_NAME) for folder in folders]
    problems: list[ManifestProblem] = []
    nearest: Manifest | ManifestProblem | None = None
    root = cwd
    patterns: Sequence[str] | None = None
    manifests: list[Manifest] = []
    for folder, reading in zip(folders, read_manifests(paths), strict=True):
        if isinstance(reading, Manifest):
            manifests.append(reading)
            nearest = nearest or reading
            if reading.workspaces is not None:
                root, patterns = folder, reading.workspaces
                break
        elif not reading.missing:
            nearest = nearest or reading
            problems.append(reading)
    if patterns is None:
        for folder in folders:
            paths.append(path := os.path.join(folder, PNPM_FILE_NAME))
            if not os.path.exists(path):
                continue
            from .pnpm import read_patterns

            if (patterns := read_patterns(path)) is not None:
                root = folder
                break
    if patterns is None and isinstance(nearest, ManifestProblem):
        raise Failed("broken-manifest", str(nearest))
    packages, broken, watched = find_packages(root, (".", "**") if patterns is None else patterns)
    problems = [problem for problem in problems if problem.path not in {other.path for other in broken}]
    return Workspace(
        root=root,
        packages=tuple(packages),
        problems=(*problems, *broken),
        declared=patterns is not None,
        watched=(*paths, *watched),
        read_at_ns=read_at_ns,
        root_package=_package_in(root, manifests),
    )


def _package_in(folder: str, manifests: Sequence[Manifest]) -> Manifest | None:
    return next((manifest for manifest in manifests if manifest.folder == folder), None)
