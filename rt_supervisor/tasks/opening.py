"""Opens the cache of a run: its state, its stores, the remote cache, and what its keys are made of."""

from __future__ import annotations

import os

from ..workspace import resolved
from ..workspace.manifest import Manifest, read_manifests
from .digests import DigestMemo, LockfileDigests
from .file_index import FileIndex
from .git_files import GitReading
from .keys import KeyMaker
from .node_keys import NodeKeys
from .state import State
from .store import Store
from .task_cache import TaskCache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from ..plan.model import RunPlan
    from .remote_settings import CacheModes, RemoteSettings
    from .task_plan import TaskPlan

    Ranges: TypeAlias = Callable[[Mapping[str, Manifest]], dict[str, dict[str, str]]]
    """The packages by folder -> the names and ranges of the dependencies of each."""


def open_cache(
    chosen: TaskPlan,
    plan: RunPlan,
    *,
    base: Mapping[str, str],
    modes: CacheModes,
    remote: RemoteSettings | None,
    executable: str,
    is_watched: bool = False,
    traces: bool = True,
    reading: GitReading | None = None,
) -> TaskCache | None:
    """Return the cache of a run, None if rt has no cache folder. `base` is the environment that tasks inherit, `executable` the path of
    rt.

    A run that `is_watched` always has one, for the keys of its tasks. One that `traces` also caches tasks without `outputs`; in others,
    and where tracing is impossible, `{ auto = true }` in `inputs` means all files of the package. `reading` is what git was asked about the
    workspace before.
    """
    root = chosen.tasks.workspace.root
    reads, writes = modes.local_reads, modes.local_writes
    state = None if modes.is_unused else State.of(root)
    if state is None:
        if not is_watched:
            return None
        state, reads, writes, remote = State(None, root), False, False, None
    memo = DigestMemo(state.digests)
    lockfiles = LockfileDigests(state.lockfiles)
    state.digests, state.lockfiles = memo.known, lockfiles.known
    store = Store.of_user()
    traced = None
    nodes = [node for node in map(chosen.node, range(len(chosen.members))) if node.is_traced]
    may_trace = store is not None and traces and not modes.is_unused
    # Tasks of which only the inputs are traced have another key without tracing, so that has to be known before the first key.
    has_alternative = any(not node.settings.traces_outputs for node in nodes)
    problem = ""
    if may_trace and has_alternative and store is not None:
        from .tracing_support import tracing_problem

        problem = tracing_problem(store, executable)
    if nodes and (problem or not may_trace):
        from .tracing_support import without_tracing

        chosen = without_tracing(chosen)
    elif nodes and store is not None:
        from .traced_tasks import TracedTasks

        traced = TracedTasks(chosen, store=store, memo=memo, environment=base, executable=executable)
    traces_inputs = traced.traces_inputs if traced is not None else _is_never
    ranges = _ranges_now if is_watched else _ranges
    begun = [] if reading is None else [reading]  # of the first time; a watched run reads the workspace again

    def make() -> KeyMaker:
        own = begun.pop() if begun else GitReading(root)
        return _read_workspace(chosen, own, base=base, memo=memo, lockfiles=lockfiles, ranges=ranges)

    keys = NodeKeys(chosen, plan, make, traces_inputs)
    traffic = exchange = None
    if remote is not None and store is not None and (modes.remote_reads or modes.remote_writes):
        from .remote_cache import RemoteCache
        from .remote_traffic import RemoteTraffic

        exchange = store if writes else store.scratch()
        remote_cache = RemoteCache(remote, exchange)
        traffic = RemoteTraffic(remote_cache, reads=modes.remote_reads, writes=modes.remote_writes)
    options: dict[str, Any] = {
        "keys": keys, "state": state, "store": store, "exchange": exchange, "remote": traffic, "reads": reads, "writes": writes,
        "is_watched": is_watched,
    }  # fmt: skip
    if traced is not None:
        from .traced_cache import TracedCache

        return TracedCache(chosen, plan, traced=traced, **options)
    cache = TaskCache(chosen, plan, **options)
    if problem:
        more = ", and results of tasks with traced outputs are not stored" * any(
            node.settings.traces_outputs for node in nodes
        )
        cache.problems.append(f"{problem}; all files of a package count as inputs of its tasks{more}")
    return cache


def _is_never(_: int) -> bool:
    return False


def _read_workspace(
    chosen: TaskPlan,
    reading: GitReading,
    *,
    base: Mapping[str, str],
    memo: DigestMemo,
    lockfiles: LockfileDigests,
    ranges: Ranges,
) -> KeyMaker:
    """Read which files the workspace has, and what its lockfile says."""
    root = chosen.tasks.workspace.root
    packages: dict[str, str] = {}
    name = resolved.find(root)
    if name is not None:
        places = {node.place for node in chosen.graph.nodes}
        folders = {chosen.tasks.folder(place): chosen.tasks.packages[place] for place in places}
        with open(os.path.join(root, name), "rb") as file:
            data = file.read()
        packages = lockfiles.of(data, name, folders, ranges(folders))
    return KeyMaker(
        chosen.tasks, FileIndex(root, reading, memo, read_ns=reading.begun_ns), base=base, packages=packages
    )


def _ranges(packages: Mapping[str, Manifest]) -> dict[str, dict[str, str]]:
    """Return the dependencies of packages as they were when the plan was made."""
    return {folder: package.ranges for folder, package in packages.items()}


def _ranges_now(packages: Mapping[str, Manifest]) -> dict[str, dict[str, str]]:
    """Return the dependencies of packages as they are now; none for a package.json that cannot be read."""
    found = read_manifests([package.path for package in packages.values()])
    return {
        folder: package.ranges if isinstance(package, Manifest) else {}
        for folder, package in zip(packages, found, strict=True)
    }
