"""Which tasks of changed packages are affected: not those whose last run has read none of the changed files.

A run is evidence if everything that it observed is now as it was then. If none of that differs from the base, the task would have read
the same at the base, so its result is the same. Without such a run, a task counts as affected with its package.
"""

from __future__ import annotations

import os

from ..graph import dependency_first
from .globs import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ..workspace.changed import Since
    from .task_cache import TaskCache
    from .task_plan import TaskPlan

UNREAD = "its last run has read none of the changed files"


class AffectedTasks:
    """The nodes of `chosen` that changed `since` a commit, which has the `folders` (relative to the root). `reasons` say why a package
    counts as changed, by its place.
    """

    def __init__(
        self,
        chosen: TaskPlan,
        cache: TaskCache | None,
        since: Since,
        *,
        folders: Collection[str],
        reasons: Mapping[int, str],
    ) -> None:
        self._chosen = chosen
        self._cache = cache
        self._since = since
        self._reasons = reasons
        self._root = chosen.tasks.workspace.root
        self._names = self._changed_names(folders)
        self._trees = [f"{path}/" for path in since.files if os.path.isdir(os.path.join(self._root, path))]
        self._known: dict[int, tuple[bool, str]] = {}
        for number in dependency_first(chosen.graph.edges)[0]:
            self._known[number] = self._decide(number)

    def of(self, number: int) -> tuple[bool, str]:
        """Return whether a node is affected, and why or why not."""
        return self._known[number]

    def needs(self, number: int) -> bool:
        """Return whether a run of a node has anything to do for what changed. One without a script only passes the order on."""
        node, edges = self._chosen.graph.nodes[number], self._chosen.graph.edges[number]
        return self._known[number][0] if node.command else any(self._known[other][0] for other in edges)

    def _decide(self, number: int) -> tuple[bool, str]:
        graph = self._chosen.graph
        for other in graph.edges[number]:
            if self._known[other][0]:
                node = graph.nodes[other]
                return True, f"depends on {self._chosen.tasks.name(node.place)}#{node.settings.task}"
        node = graph.nodes[number]
        reason = self._reasons.get(node.place, "")
        if self._since.of_all or node.place in self._since.resolved:
            return True, reason or f"{self._since.of_all} changed"
        observed = self._cache.observed(number) if self._cache is not None and node.command else None
        if observed is None:
            return bool(reason), reason or "nothing of its package changed"
        read = self._names.keys() & observed
        if read:
            return True, f"reads {self._names[min(read)]}"
        for tree in self._trees:  # a submodule
            if any(name.startswith(tree) for name in observed):
                return True, f"reads {tree.rstrip('/')}"
        declared = parse(node.settings.inputs or (), self._chosen.tasks.folder(node.place))
        matching = declared.matching(sorted(self._since.files))
        return (True, f"reads {matching[0]}") if matching else (False, UNREAD)

    def _changed_names(self, folders: Collection[str]) -> dict[str, str]:
        """Return the names of the observations that differ between the base and now, each with the changed path.

        The content and the metadata of a path have its name, and a listing that of the folder with a slash (`observations.Ground`).
        """
        found: dict[str, str] = {}
        for path, is_modified in self._since.files.items():
            found.setdefault(path, path)
            found.setdefault(f"{path}/", path)
            at = path
            while not is_modified and at:
                at = os.path.dirname(at)
                found.setdefault(f"{at or '.'}/", path)
                if not at or (at in folders and os.path.isdir(os.path.join(self._root, at))):
                    break  # the folder was there before, and is there now
                found.setdefault(at, path)
        return found
