"""Which caches of results a run of tasks uses: from flags, variables and the settings of the workspace."""

from __future__ import annotations

from ...tasks.definitions import Globals
from ...tasks.git_files import GitReading
from ...tasks.remote_settings import TOKEN, CacheModes, parse_modes, remote_settings
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from .cluster_run import address_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...plan.model import RunPlan
    from ...tasks.remote_settings import RemoteSettings
    from ...tasks.task_cache import TaskCache
    from ...tasks.task_plan import TaskPlan
    from ..request import Request

_NOTHING = CacheModes(local_reads=False, local_writes=False, remote_reads=False, remote_writes=False)


def begin_reading(request: Request, chosen: TaskPlan) -> GitReading | None:
    """Begin to read which files the workspace has, if the cache of a run of `chosen` will need that: git takes as long as all else before the
    first task. The caller closes what it returns. Raises Failed.
    """
    invocation = request.invocation
    if (
        cache_modes(request).is_unused
        or not chosen.members
        or invocation.is_set("watch")
        or invocation.is_set("detach")
    ):
        return None
    return GitReading(chosen.tasks.workspace.root)


def open_cache_of(
    request: Request, chosen: TaskPlan, plan: RunPlan, reading: GitReading | None = None
) -> TaskCache | None:
    """Return the cache of a run of `chosen` as `plan`, None if flags disable it or there is no cache folder. Raises Failed.

    A run with --watch always has one, which may store nothing. `reading` is what `begin_reading` has returned.
    """
    from ...tasks.opening import open_cache

    modes = cache_modes(request)
    is_watched = request.invocation.is_set("watch")
    if modes.is_unused and not is_watched:
        return None
    table = chosen.tasks.table
    values = Globals() if table is None else table.globals
    remote = remote_of(request, values, modes)
    return open_cache(
        chosen,
        plan,
        base=request.environment,
        modes=modes,
        remote=remote,
        executable=request.executable,
        is_watched=is_watched,
        traces=not address_of(request),  # agents trace nothing
        reading=reading,
    )


def cache_modes(request: Request) -> CacheModes:
    """Return what the flags use the caches for. Raises Failed."""
    invocation = request.invocation
    if invocation.is_set("no-cache"):
        return _NOTHING
    text = invocation.text("cache") or ""
    modes = parse_modes(text) if text else CacheModes()
    if modes is None:
        raise Failed(
            "cache-modes",
            f'--cache={text}: must be "local:" and "remote:", each with r, w, both or neither: local:rw,remote:r',
        )
    if invocation.is_set("force"):
        modes = replace(modes, local_reads=False, remote_reads=False)
    return modes


def remote_of(request: Request, values: Globals, modes: CacheModes) -> RemoteSettings | None:
    """Return the remote cache of the workspace, None without one. Raises Failed, also if a flag requests it and it is not known."""
    if not modes.remote_reads and not modes.remote_writes:
        return None
    remote = remote_settings(request.environment, values)
    if remote is None and "cache" in request.given and request.invocation.text("cache"):
        raise Failed(
            "remote-cache-unknown", f"--cache requests the remote cache, which is disabled or has no token: set {TOKEN}"
        )
    return remote
