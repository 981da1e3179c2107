"""`rt run --tasks`: from a request to the graph of tasks and a supervised run of it."""

from __future__ import annotations

import contextlib
import gc

from ...plan.model import MODE_FILTER
from ...settings import shell_choice
from ...settings.node_link import NodeLink
from ...start.dependencies import dependencies
from ...supervising.services import Service
from ...supervising.task_policies import policy_of
from ...supervising.task_runner import CONTINUE_ALWAYS, CONTINUE_INDEPENDENT, TaskRunner
from ...tasks.history import History
from ...tasks.plain_scripts import are_plain, with_scripts
from ...tasks.resuming import LeftOut, RunHistory, before_package
from ...tasks.sources import read_tasks
from ...tasks.task_cache import Hit
from ...tasks.task_graph import title
from ...tasks.task_plan import make_plan, needed_by
from ...tasks.variables import StrictEnvironments
from ...vocabulary.errors import SCRIPT_NOT_FOUND, Failed
from ...vocabulary.identity import file_time_ns
from ...vocabulary.protocol import is_shell
from ...vocabulary.record import replace
from ...workers.signals import die_of
from ...workspace.manifest import find_nearest_manifest
from ..streams import warn
from .cluster_run import ImportAhead, address_of
from .multi_run import affected_patterns, assemble_plan, concurrency_of, grace_s_of, show_dry_run, start_guardian
from .supervised import supervise
from .task_cache_options import begin_reading, open_cache_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from ..._native import RunCore
    from ...cluster.requesting import ClusterRun
    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...output.display import Display
    from ...output.reports.task_summary import Describe
    from ...plan.model import RunPlan
    from ...supervising.watched_run import RunResult
    from ...supervising.watched_task_runner import TaskWatch
    from ...tasks.git_files import GitReading
    from ...tasks.sources import TaskWorkspace
    from ...tasks.task_cache import TaskCache
    from ...tasks.task_plan import TaskPlan
    from ...workers.client import GuardianClient
    from ..request import Request
    from .supervised import Encode, EncodeProcesses, MakeControl

# A plan of 1,000 tasks has 200,000 objects, none of which is garbage: to traverse them would take a tenth of a run without a miss.
_GARBAGE_THRESHOLD = 500_000
MOST_AT_ONCE = 10  # without --concurrency, as in Turborepo: tasks are builds, which use a CPU each


def run_tasks(request: Request, main: Callable[[ReadyEngine], NoReturn], *, is_successor: bool = False) -> int:
    """Run the tasks that `request` names and return the exit status; dies of the signal that ended the run. Raises Failed.

    One that `is_successor` takes the place of a watched run after a change of its settings.
    """
    dependencies.prevent_caching()  # the launcher knows no tasks
    gc.set_threshold(_GARBAGE_THRESHOLD)
    begun_ns = file_time_ns()
    link = NodeLink(request.executable)
    reading = None
    try:
        chosen = choose_tasks(request)
        reading = begin_reading(request, chosen)
        plan = plan_of(request, link, chosen)
        if request.invocation.is_set("affected") and (without := _unaffected(request, chosen, plan)):
            chosen = choose_tasks(request, without)
            plan = plan_of(request, link, chosen)
            if not plan.tasks:
                warn("no task is affected: the last runs have read none of the changed files")
        history = RunHistory(History.of(chosen.tasks.workspace.root), chosen, request.invocation.arguments)
        left_out = _left_out(request, chosen, history)
        if request.invocation.is_set("dry-run"):
            return _show_dry_run(request, chosen, plan, left_out, reading)
        for message in plan.warnings:
            warn(message)
        if not plan.tasks and not request.invocation.is_set("watch"):
            return 0
        if request.invocation.is_set("detach"):
            from .controlled_run import detach

            detach()
        make_watch = _watch_maker(request, link, chosen, plan, begun_ns, is_successor)
        result = _supervise(
            request,
            chosen,
            plan,
            main,
            history=history,
            left_out=left_out,
            make_watch=make_watch,
            reading=reading,
        )
    finally:
        link.remove()
        if reading is not None:
            reading.close()
    if result.next_plan is not None:
        return run_tasks(request, main, is_successor=True)
    if result.signal is not None:
        die_of(result.signal)
    return result.status


def choose_tasks(request: Request, without: frozenset[tuple[int, str]] = frozenset()) -> TaskPlan:
    """Return the tasks that `request` names, of the packages that it selects, with what they depend on; those in `without`, which are
    (place, task), only if others depend on them. Raises Failed.
    """
    invocation = request.invocation
    is_explicit = invocation.is_set("tasks")
    tasks = read_tasks(request.folder, only_rtfig=not is_explicit)
    is_plain = False
    if invocation.is_set("cache") and not is_explicit:
        is_plain = are_plain(tasks, invocation.names)
        tasks = with_scripts(tasks, invocation.names)
    shard = None
    if text := invocation.text("shard"):
        from ...tasks.shards import parse_shard

        shard = parse_shard(text)

    def plan(places: Sequence[int]) -> TaskPlan:
        return make_plan(
            tasks,
            places=places,
            names=invocation.names,
            only=invocation.is_set("only") or is_plain,  # a run without settings runs only what is selected
            if_present=invocation.is_set("if-present"),
            shard=shard,
            without=without,
        )

    places = selected_places(request, tasks)
    try:
        return plan(places)
    except Failed as failed:
        others = _named_places(tasks)
        if failed.failure.reason != SCRIPT_NOT_FOUND or list(places) != [tasks.root_place] or others == list(places):
            raise
        return plan(others)  # the root has no such script


def _unaffected(request: Request, chosen: TaskPlan, plan: RunPlan) -> frozenset[tuple[int, str]]:
    """Return the named tasks, as (place, task), that are not affected although their packages are. A watched run has none: it acts on
    changes that are to come.
    """
    nodes = chosen.graph.nodes
    if request.invocation.is_set("watch") or address_of(request) or not any(node.is_traced for node in nodes):
        return frozenset()
    from .affected import affected_tasks, changes_of

    since, reasons = changes_of(chosen.tasks, affected_patterns(request)[1])
    affected = affected_tasks(request, chosen, plan, since, reasons)
    return frozenset(
        (node.place, node.settings.task)
        for number, node in enumerate(nodes)
        if node.is_selected and node.place in reasons and not affected.needs(number)
    )


def is_about_scripts(request: Request) -> bool:
    """Return whether a command about cached results means those of scripts that run with --cache: it has that flag, or no settings define
    tasks.
    """
    return request.invocation.is_set("cache") or read_tasks(request.folder).table is None


def _watch_maker(
    request: Request, link: NodeLink, chosen: TaskPlan, plan: RunPlan, begun_ns: int, is_successor: bool
) -> Callable[[], TaskWatch] | None:
    """Return what makes the `TaskWatch` of a run with --watch, None without it."""
    if not request.invocation.is_set("watch"):
        return None
    from .watched_task_run import make_task_watch

    def plan_again() -> tuple[TaskPlan, RunPlan]:
        made = choose_tasks(request)
        return made, plan_of(request, link, made)

    return lambda: make_task_watch(request, chosen, plan, plan_again, since_ns=begun_ns, is_successor=is_successor)


def _left_out(request: Request, chosen: TaskPlan, history: RunHistory) -> LeftOut:
    """Return the tasks that --resume and --resume-from leave out. Raises Failed."""
    invocation = request.invocation
    package = invocation.text("resume-from")
    succeeded = history.succeeded() if invocation.is_set("resume") else frozenset()
    return LeftOut(succeeded, before_package(chosen, package) if package else frozenset())


def selected_places(request: Request, tasks: TaskWorkspace) -> Sequence[int]:
    """Return the packages that are selected: by --filter, otherwise the package of the working folder, at the root all of them.

    A run of tasks that is only one because of rtfig.toml selects the same packages as a run without tasks.
    """
    invocation = request.invocation
    patterns, since = affected_patterns(request)
    if patterns:
        return _filtered(tasks, patterns, request.folder, since)
    if not invocation.is_set("workspaces"):
        nearest = find_nearest_manifest(request.folder)
        own = [place for place, package in enumerate(tasks.packages) if package.path == nearest]
        is_explicit = invocation.is_set("tasks")
        if own and not (is_explicit and own[0] == tasks.root_place):
            return own
    root = tasks.root_place
    # A package that is a workspace by itself is its own root.
    return _named_places(tasks) or ([root] if root is not None else [])


def _named_places(tasks: TaskWorkspace) -> list[int]:
    """Return the packages of the workspace, without its root."""
    from ...workspace.selection import named_packages

    workspace = tasks.workspace
    is_all = not workspace.declared and workspace.packages
    return list(range(len(workspace.packages)) if is_all else named_packages(workspace))


def _filtered(tasks: TaskWorkspace, patterns: Sequence[str], folder: str, since: str) -> Sequence[int]:
    from ...graph import find_edges
    from ...workspace.selection import select

    workspace = tasks.workspace
    selection = select(workspace, find_edges(workspace.packages), patterns=patterns, cwd=folder, affected_since=since)
    if not selection.packages and selection.unchanged:
        shown = ", ".join(f'"{pattern}"' for pattern in selection.unchanged)
        warn(f"no package changed: {shown}")
        return ()
    quoted = ", ".join(f'"{pattern}"' for pattern in selection.unmatched)
    message = f"No workspace packages matched the filter{'s' if len(selection.unmatched) > 1 else ''} {quoted}"
    if not selection.packages:
        raise Failed("no-packages", message)
    if selection.unmatched:
        warn(message)
    return selection.packages


def plan_of(request: Request, link: NodeLink, chosen: TaskPlan) -> RunPlan:
    """Return the plan that runs `chosen`, each task with the variables that it may have."""
    invocation = request.invocation
    return assemble_plan(
        request,
        link,
        chosen.choice,
        mode=MODE_FILTER,
        concurrency=concurrency_of(invocation.text("concurrency") or str(MOST_AT_ONCE), MODE_FILTER),
        exit_on_error=False,
        takers={key for key in range(len(chosen.members)) if chosen.node(key).is_selected},
        limit=StrictEnvironments(request.environment).limiter(chosen.variable_patterns) if chosen.is_strict else None,
    )


def _show_dry_run(
    request: Request, chosen: TaskPlan, plan: RunPlan, left_out: LeftOut, reading: GitReading | None
) -> int:
    """Print the plan; the reason of each task says what the cache has of it, or why it is left out."""
    cache = open_cache_of(request, chosen, plan, reading)
    if cache is not None or left_out != LeftOut():
        from ...tasks.dry_run import decision_words

        words = decision_words(cache, plan, left_out)
        tasks = [replace(task, why="; ".join(filter(None, (task.why, words[task.key])))) for task in plan.tasks]
        plan = replace(plan, tasks=tuple(tasks))
    return show_dry_run(request, plan)


def _supervise(
    request: Request,
    chosen: TaskPlan,
    plan: RunPlan,
    main: Callable[[ReadyEngine], NoReturn],
    *,
    history: RunHistory,
    left_out: LeftOut,
    make_watch: Callable[[], TaskWatch] | None,
    reading: GitReading | None,
) -> RunResult:
    has_programs = any(step.program and not is_shell(step.program) for task in plan.tasks for step in task.steps)
    has_shell = shell_choice.is_rt(request.invocation.text("shell"))
    client: GuardianClient = start_guardian(request, main, has_programs=has_programs or has_shell, has_shell=has_shell)
    try:
        if has_shell:
            client.prepare("shell")
        if has_programs:
            client.prepare("engine")
        address = address_of(request)
        imports = ImportAhead() if address else None
        cache = open_cache_of(request, chosen, plan, reading)
        if cache is not None:
            plan = cache.under_tracer(plan)
        grace_s = grace_s_of(request)
        services = {
            task.key: Service(settings.ready, needed_by(chosen, task.key), chosen.node(task.key).is_selected)
            for task in plan.tasks
            if (settings := chosen.node(task.key).settings).persistent and settings.ready is not None
        }
        policies = {task.key: policy_of(chosen.node(task.key).settings) for task in plan.tasks}
        pools = {} if chosen.tasks.table is None else chosen.tasks.table.globals.pools
        silent = frozenset(task.key for task in plan.tasks if chosen.node(task.key).settings.output_logs != "full")

        def make_runner(
            core: RunCore,
            display: Display,
            encode: Encode,
            encode_processes: EncodeProcesses,
            make_control: MakeControl | None,
        ) -> TaskRunner:
            options: dict[str, Any] = {
                "encode": encode,
                "encode_processes": encode_processes,
                "cache": cache,
                "continues": request.invocation.text("continue") or continues_default(request),
                "silent": silent,
                "grace_s": grace_s,
                "services": services,
                "policies": policies,
                "pools": pools,
                "history": history,
                "left_out": left_out,
                "make_control": make_control,
            }
            if cluster is not None:
                from ...supervising.cluster_task_runner import ClusterTaskRunner

                local = cluster.local_tasks()
                limit = plan.concurrency if request.invocation.text("concurrency") else None
                return ClusterTaskRunner(
                    core,
                    display,
                    plan,
                    cluster=cluster,
                    local=local,
                    limit=limit,
                    shows_agents=request.invocation.is_set("show-agents"),
                    **options,
                )
            if make_watch is None and make_control is None:
                return TaskRunner(core, display, plan, **options)
            if make_watch is None:
                from ...supervising.steered_task_runner import SteeredTaskRunner

                return SteeredTaskRunner(core, display, plan, **options)
            from ...supervising.watched_task_runner import WatchedTaskRunner

            return WatchedTaskRunner(core, display, plan, watch_tasks=make_watch(), **options)

        cluster: ClusterRun | None = None
        with contextlib.suppress(OSError):  # a run does not fail because it cannot be remembered
            history.begin(resumes=request.invocation.is_set("resume"))
        try:
            describe = _describer(chosen, cache, left_out)
            has_service = any(chosen.node(task.key).settings.persistent for task in plan.tasks)
            with contextlib.ExitStack() as stack:
                if address:
                    from .cluster_run import connect

                    cluster = stack.enter_context(
                        connect(request, address, chosen, plan, cache, grace_s=grace_s, imports=imports)
                    )
                return supervise(
                    request,
                    plan,
                    client,
                    grace_s=grace_s,
                    make_runner=make_runner,
                    describe=describe,
                    has_service=has_service and not address,
                )
        finally:
            with contextlib.suppress(OSError):
                history.close()
            if cache is not None:
                cache.close()
                for problem in (*cache.problems, *(cache.remote.problems if cache.remote is not None else ())):
                    warn(problem)
    finally:
        client.close()


def _describer(chosen: TaskPlan, cache: TaskCache | None, left_out: LeftOut) -> Describe:
    """Return the function that describes a task of `chosen` for --summarize, once it has ended."""
    titles = [title(chosen.tasks, chosen.node(key)) for key in range(len(chosen.members))]

    def describe(key: int) -> dict[str, object]:
        decision = None if cache is None else cache.decisions.get(key)
        is_hit = isinstance(decision, Hit)
        is_cacheable = not isinstance(decision, Hit) and decision is not None and decision.is_cacheable
        reason = "" if isinstance(decision, Hit) or decision is None else decision.reason
        omission = "" if is_hit else left_out.reason(key, is_cacheable=is_cacheable)
        node = chosen.node(key)
        return {
            "task": titles[key],
            "package": chosen.tasks.name(node.place),
            "name": node.settings.task,
            "command": node.command,
            "dependencies": [titles[other] for other in chosen.choice.recipes[key].after],
            "key": None if decision is None else decision.key,
            "cache": "hit" if is_hit else "left-out" if omission else "unknown" if decision is None else "miss",
            "reason": omission or reason,
            "source": None if not isinstance(decision, Hit) else "remote" if decision.is_remote else "local",
            "savedSeconds": round(decision.seconds, 6) if isinstance(decision, Hit) else None,
        }

    return describe


def continues_default(request: Request) -> str:
    """Return what --continue without a value, or its absence, means."""
    return CONTINUE_ALWAYS if request.invocation.is_set("continue") else CONTINUE_INDEPENDENT
