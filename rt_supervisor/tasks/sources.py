"""Chooses the file that defines the tasks of a workspace: rtfig.toml with `[tasks]`, turbo.json, or wireit, in this order."""

from __future__ import annotations

import os

from ..vocabulary.record import record
from ..workspace.finding import find_workspace
from ..workspace.manifest import FILE_NAME, Manifest, read_manifest
from . import rtfig_source, turbo_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..workspace.finding import Workspace
    from .definitions import TaskTable


@record
class TaskWorkspace:
    """A workspace with its tasks. `packages` are those of `workspace`, and the root package last if it is not one of them.

    `root_place` is the place of the root package in `packages`, None without a package.json there. `table` is None if no file
    defines tasks.
    """

    workspace: Workspace
    packages: tuple[Manifest, ...]
    root_place: int | None
    table: TaskTable | None

    def name(self, place: int) -> str:
        """Return the name that people know the package by."""
        return self.workspace.display_name(self.packages[place])

    def folder(self, place: int) -> str:
        """Return the folder of the package relative to the root, "" for the root."""
        root, folder = self.workspace.root, self.packages[place].folder
        if folder == root:
            return ""
        above = f"{root.rstrip('/')}/"
        return folder[len(above) :] if folder.startswith(above) else os.path.relpath(folder, root)


def read_tasks(folder: str, *, only_rtfig: bool = False) -> TaskWorkspace:
    """Read the workspace around `folder` and its tasks; `only_rtfig` looks for them only in rtfig.toml. Raises Failed."""
    workspace = find_workspace(folder)
    packages = workspace.packages
    root_place = next((place for place, package in enumerate(packages) if package.folder == workspace.root), None)
    if root_place is None:
        manifest = read_manifest(os.path.join(workspace.root, FILE_NAME))
        if isinstance(manifest, Manifest):
            packages, root_place = (*packages, manifest), len(packages)
    named = [(package.name or package.folder, package.folder) for package in packages]
    table = rtfig_source.read(workspace.root, named)
    if table is None and not only_rtfig:
        table = turbo_source.read(workspace.root, named)
        if table is None:
            from . import wireit_source

            table = wireit_source.read(workspace.root, named)
    return TaskWorkspace(workspace, packages, root_place, table)
