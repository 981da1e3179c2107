"""`rt run --on`: connects a run of tasks with its cluster."""

from __future__ import annotations

import contextlib
import os
import time

from ...vocabulary.errors import Failed
from ..streams import warn
from .agent import agent_folder, default_number, require_extra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...cluster.requesting import ClusterRun
    from ...plan.model import RunPlan
    from ...tasks.file_index import FileIndex
    from ...tasks.git_files import GitReading
    from ...tasks.task_cache import TaskCache
    from ...tasks.task_plan import TaskPlan
    from ..request import Request

VARIABLE = "RT_CLUSTER"
SILENCE_VARIABLE = "RT_CLUSTER_SILENCE"  # after how many seconds an agent that does not answer counts as lost
_PATIENCE_S = 60.0
_FLAGS = ("shell", "rt", "silent", "identity")  # flags that say how scripts run


def address_of(request: Request) -> str:
    """Return the address of the cluster that tasks run on: that of --on, RT_CLUSTER or rtfig.toml; "" to run them here, as --on= does."""
    given = request.invocation.text("on") or ""
    return given if "on" in request.given else request.environment.get(VARIABLE) or given


def _refuse_displays(request: Request) -> None:
    """Raise Failed for a flag that needs tasks of this machine; the message says how to run them here."""
    invocation = request.invocation
    if "on" in request.given:
        source, here = "--on", "leave out --on"
    else:
        source = VARIABLE if request.environment.get(VARIABLE) else "[cluster] address"
        here = "add --on="
    if invocation.is_set("watch"):
        raise Failed(
            "cluster-without",
            f"--watch and {source} cannot be used together: {here} to watch and run the tasks on this machine",
        )
    if invocation.text("ui") == "tui":
        raise Failed(
            "cluster-without",
            f"--ui=tui and {source} cannot be used together: use --ui=blocks, or {here} to run the tasks on this machine",
        )


class ImportAhead:
    """A thread that imports Dask, for `connect`, while git lists the files of the workspace: both take long if there are many."""

    def __init__(self) -> None:
        import threading

        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="import", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            from ...cluster import requesting  # noqa: F401
        except Exception as error:
            self._error = error

    def finish(self) -> None:
        """Wait for the end. Raise what the import has raised: a second one would fail at the half-imported modules that the first leaves."""
        self._thread.join()
        if self._error is not None:
            raise self._error


@contextlib.contextmanager
def connect(
    request: Request,
    address: str,
    chosen: TaskPlan,
    plan: RunPlan,
    cache: TaskCache | None,
    *,
    grace_s: float,
    imports: ImportAhead | None,
) -> Iterator[ClusterRun]:
    """Connect to the cluster at `address`, and disconnect at the end. `imports` is the thread that imports Dask. Raises Failed."""
    require_extra("--on")
    invocation = request.invocation
    _refuse_displays(request)
    reading = None
    if cache is None:
        from ...tasks.git_files import GitReading

        reading = GitReading(chosen.tasks.workspace.root)  # git runs while this machine connects
    if imports is not None:
        imports.finish()
    from ...cluster.addresses import parse_address, refuse_plain
    from ...cluster.certificates import CLIENT, require_files
    from ...cluster.local import LocalCluster
    from ...cluster.process import security_of
    from ...cluster.requesting import ClusterRun
    from ...cluster.session import SILENCE_S, WAIT_VARIABLE, silence_logs

    silence_logs()
    place = parse_address(address, request.folder)
    if not place.agents:
        refuse_plain(place.url, is_insecure=invocation.is_set("insecure"))
    keys = invocation.text("certificates") or ""
    require_files(keys, CLIENT)
    local = None
    if place.agents:
        limit_mb = default_number("store-limit")
        local = LocalCluster(place.agents, os.path.join(agent_folder(), "local"), store_limit_mb=limit_mb)
    try:
        run = ClusterRun(
            chosen,
            local.address() if local is not None else place.url,
            environment=_environment(request, plan),
            arguments=tuple(invocation.arguments),
            flags=_flags(request),
            grace_s=grace_s,
            setup=invocation.text("cluster-setup") or "",
            wants_all=invocation.text("outputs") != "requested",
            security=security_of(keys),
            patience_s=_seconds(request, WAIT_VARIABLE, _PATIENCE_S),
            silence_s=_seconds(request, SILENCE_VARIABLE, SILENCE_S),
            say=warn,
        )
        try:
            run.open(cache.index if cache is not None else _index(chosen, reading))
            yield run
        finally:
            run.close()
    finally:
        if local is not None:
            local.close()


def _seconds(request: Request, name: str, default_s: float) -> float:
    """Return the seconds that a variable says. Raises Failed."""
    text = request.environment.get(name)
    try:
        return default_s if text is None else float(text)
    except ValueError as error:
        raise Failed("cluster-wait", f'{name} is "{text}", and must be a number of seconds, such as 300') from error


def _index(chosen: TaskPlan, reading: GitReading | None) -> FileIndex:
    """Return the files of the workspace, of a run without a cache."""
    from ...tasks.digests import DigestMemo
    from ...tasks.file_index import FileIndex

    return FileIndex(chosen.tasks.workspace.root, reading, DigestMemo(), read_ns=time.time_ns())


def _flags(request: Request) -> tuple[str, ...]:
    """Return the flags of the request that say how scripts run."""
    invocation = request.invocation
    flags = []
    for name in _FLAGS:
        value = invocation.options.get(name)
        if value:
            flags.append(f"--{name}" if value is True else f"--{name}={value}")
    if invocation.text("output") == "raw":
        flags.append("--output=raw")  # both streams of scripts stay apart
    return tuple(flags)


def _environment(request: Request, plan: RunPlan) -> dict[str, str]:
    """Return the variables of the request, with what the display wants of the colours of scripts."""
    colour = plan.tasks[0].steps[0].environment.get("FORCE_COLOR") if plan.tasks else None
    return {**request.environment, **({"FORCE_COLOR": colour} if colour else {})}
