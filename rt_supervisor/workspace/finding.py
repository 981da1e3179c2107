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


@record
class _Declaration:
    """What the files at and above a folder declare: the root and its patterns (None: no workspace), and what was read for it."""

    root: str
    patterns: Sequence[str] | None
    nearest: Manifest | ManifestProblem | None
    manifests: Sequence[Manifest]
    problems: Sequence[ManifestProblem]
    paths: Sequence[str]


def find_workspace(cwd: str) -> Workspace:
    """Find the workspace around the absolute folder `cwd`. Raises Failed if its own package.json is invalid."""
    read_at_ns = time.time_ns()
    found = _find_declaration(cwd)
    patterns = found.patterns
    if patterns is None and isinstance(found.nearest, ManifestProblem):
        raise Failed("broken-manifest", str(found.nearest))
    packages, broken, watched = find_packages(found.root, (".", "**") if patterns is None else patterns)
    problems = [problem for problem in found.problems if problem.path not in {other.path for other in broken}]
    return Workspace(
        root=found.root,
        packages=tuple(packages),
        problems=(*problems, *broken),
        declared=patterns is not None,
        watched=(*found.paths, *watched),
        read_at_ns=read_at_ns,
        root_package=_package_in(found.root, found.manifests),
    )


def find_root(cwd: str) -> str:
    """Return the root of the workspace around the absolute folder `cwd`, without reading its packages. Outside of a workspace, it is the
    folder of the nearest package.json, or `cwd`.
    """
    found = _find_declaration(cwd)
    if found.patterns is None and found.nearest is not None:
        return os.path.dirname(found.nearest.path)
    return found.root


def _find_declaration(cwd: str) -> _Declaration:
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
    return _Declaration(root, patterns, nearest, manifests, problems, paths)


def _package_in(folder: str, manifests: Sequence[Manifest]) -> Manifest | None:
    return next((manifest for manifest in manifests if manifest.folder == folder), None)
