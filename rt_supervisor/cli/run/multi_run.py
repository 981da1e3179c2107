"""`--filter`, `--workspaces`, `--parallel`, `--sequential`: from a request to a plan, a display and a supervised run."""

from __future__ import annotations

import os

from ...plan import cache as plan_cache
from ...plan.direct import WHOLE_PROCESSES, DirectCommands
from ...plan.model import MODE_FILTER, MODE_PARALLEL, MODE_SEQUENTIAL
from ...plan.program_text import program_of
from ...plan.recipe import Request as Wanted
from ...plan.recipe import assemble
from ...plan.script_text import quote, rewrite
from ...settings import shell_choice
from ...settings.environment import CHAIN, DEFAULT_PATH, DROPPED, SearchPaths, longer_chain, script_environment
from ...settings.late_environment import LateEnvironment
from ...settings.node_link import NodeLink
from ...settings.target import SCRIPT, Target, find_file
from ...start.dependencies import RecordedVariables, dependencies
from ...vocabulary.extensions import EXTENSIONS
from ...vocabulary.protocol import is_shell
from ...workers.signals import die_of
from ...workspace.manifest import find_nearest_manifest, read_manifest
from ..colours import wants_colour
from ..line.arguments import EXEC
from ..line.flag_values import concurrency_limit
from ..streams import warn, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping
    from typing import NoReturn

    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...plan.model import RunPlan
    from ...plan.recipe import Choice, Limit, Means
    from ...supervising.watched_run import RunResult
    from ...vocabulary.protocol import Kind
    from ...workers.client import GuardianClient
    from ...workers.zygote import Host
    from ...workspace.manifest import Manifest
    from ..request import Request

MOST_AT_ONCE = 128  # scripts of a run with --filter and without --concurrency
_UNLIMITED = 2**32 - 1
_OWN_DESCRIPTORS = 24  # descriptors that rt needs besides the pipes of scripts


def run_many(request: Request, main: Callable[[ReadyEngine], NoReturn]) -> int:
    """Run several scripts and return the exit status; dies of the signal that ended the run. Raises Failed.

    `main` is rt's entry, which runs source files in engine workers.
    """
    is_watched, begun_ns = request.invocation.is_set("watch"), 0
    if is_watched:
        from ...vocabulary.identity import file_time_ns

        begun_ns = file_time_ns()
    link = NodeLink(request.executable)
    client: GuardianClient | None = None
    try:
        is_dry = request.invocation.is_set("dry-run")
        detaches = request.invocation.is_set("detach") and not is_dry
        if not (is_dry or detaches) and shell_choice.is_rt(request.invocation.text("shell")):
            client = start_guardian(request, main, has_programs=True, has_shell=True)
            client.prepare("shell")  # while the plan is made
        plan = make_plan(request, link)
        if is_dry:
            return show_dry_run(request, plan)
        for message in plan.warnings:
            warn(message)
        if not plan.tasks and not is_watched:
            return 0
        if client is None and not detaches and _gets_the_terminal(request, plan):
            return _run_alone(request, plan)
        if detaches:
            from .controlled_run import detach

            detach()
        has_programs = any(step.program and not is_shell(step.program) for task in plan.tasks for step in task.steps)
        has_shell = client is None and shell_choice.is_rt(request.invocation.text("shell"))
        if client is None:
            client = start_guardian(request, main, has_programs=has_programs or has_shell, has_shell=has_shell)
            if has_shell:
                client.prepare("shell")
        if has_programs:
            # One source file is enough: forking a worker takes less time than starting a process, and every further one a
            # tenth of that (benchmarks/engine_workers.py). The zygote starts while rt prepares the run.
            client.prepare("engine")
        if is_watched:
            from .supervised import supervise
            from .watched_multi_run import make_watch

            watch = make_watch(request, plan, lambda: make_plan(request, link), since_ns=begun_ns)
            result = supervise(request, plan, client, grace_s=grace_s_of(request), watch=watch)
        else:
            result = _supervise_once(request, plan, client)
    finally:
        if client is not None:
            client.close()
        link.remove()
    if result.next_plan is not None:
        return run_many(request, main)
    if result.signal is not None:
        die_of(result.signal)
    return result.status


def _gets_the_terminal(request: Request, plan: RunPlan) -> bool:
    """Return whether a run with `--output raw` is one script: it runs in the foreground, with rt's own streams."""
    invocation = request.invocation
    return (
        len(plan.tasks) == 1
        and plan.mode == MODE_FILTER
        and invocation.command != EXEC
        and invocation.text("output") == "raw"
        and not any(invocation.is_set(flag) for flag in ("watch", "report", "summary", "trace"))
    )


def _run_alone(request: Request, plan: RunPlan) -> int:
    """Run the only task of `plan` as `rt run` does in the folder of its package."""
    from ...vocabulary.record import replace
    from .single_run import run_single

    (task,) = plan.tasks
    os.chdir(task.folder)
    manifest = read_manifest(os.path.join(task.folder, "package.json"))
    return run_single(replace(request, folder=task.folder), _usable(manifest), Target(SCRIPT, task.script))


def _supervise_once(request: Request, plan: RunPlan, client: GuardianClient) -> RunResult:
    """Run `plan`, and cache the run for the launcher if that could carry it out."""
    from .run_records import may_be_cached, record_of
    from .supervised import supervise

    grace_s = grace_s_of(request)
    if not may_be_cached(request, plan):
        return supervise(request, plan, client, grace_s=grace_s)
    from ...start import cached_start

    record = record_of(request, plan, grace_s=grace_s, is_cached=True)
    start = cached_start.encode_scripts(record)  # before a script can change its dependencies
    result = supervise(request, plan, client, grace_s=grace_s, record=record)
    if start is not None:
        cached_start.store(start)
    return result


def start_guardian(
    request: Request, main: Callable[[ReadyEngine], NoReturn], *, has_programs: bool, has_shell: bool
) -> GuardianClient:
    """Start the guardian, with zygotes for source files and rt's own shell if the run may need them."""
    from ...workers.client import GuardianClient

    hosts: dict[Kind, Host] = {}
    if has_shell:
        from ...workers.shell_host import ShellHost

        hosts["shell"] = ShellHost()
    if has_programs:
        from ...engine_worker.start.engine_host import EngineHost
        from .program_host import RtProgramHost

        hosts["engine"] = EngineHost(RtProgramHost(main))
    return GuardianClient(share_terminal=False, grace_s=grace_s_of(request), hosts=hosts)


def grace_s_of(request: Request) -> float:
    """Return how long scripts may take to end, in seconds."""
    return (request.invocation.number("grace-period") or 0) / 1000


def make_plan(request: Request, link: NodeLink) -> RunPlan:
    """Decide what runs. Raises Failed for a problem with the request or the workspace."""
    invocation = request.invocation
    mode = MODE_FILTER
    if invocation.is_set("parallel"):
        mode = MODE_PARALLEL
    elif invocation.is_set("sequential"):
        mode = MODE_SEQUENTIAL
    patterns, since = affected_patterns(request)
    scripts, command = invocation.names, ""
    if invocation.command == EXEC:
        (word,) = scripts
        command = quote(word) if invocation.arguments else word  # a single word is a command of a shell
        scripts = (os.path.basename(word.split(" ", 1)[0]) or EXEC,)
    wanted = Wanted(
        cwd=request.folder,
        mode=mode,
        scripts=scripts,
        patterns=patterns,
        affected_since=since,
        every=invocation.is_set("workspaces"),
        if_present=invocation.is_set("if-present"),
        ordered=invocation.is_set("ordered"),
        explain=invocation.is_set("dry-run") or invocation.options.get("report") is not None,
        strict_cycles=invocation.is_set("strict-cycles"),
        reverse=invocation.is_set("reverse"),
        command=command,
    )
    return assemble_plan(
        request,
        link,
        _choose(wanted),
        mode=mode,
        concurrency=1 if mode == MODE_SEQUENTIAL else concurrency_of(invocation.text("concurrency"), mode),
        is_adaptive=mode == MODE_FILTER and invocation.text("concurrency") is None,
        exit_on_error=mode != MODE_FILTER and not invocation.is_set("no-exit-on-error"),
    )


def affected_patterns(request: Request) -> tuple[tuple[str, ...], str]:
    """Return the filters of `request`, and the commit since which packages have to be affected ("" without --affected).

    Raises Failed if no commit to compare with is known.
    """
    invocation = request.invocation
    patterns = invocation.texts("filter")
    if not invocation.is_set("affected"):
        return patterns, ""
    from ...workspace.changed import affected_base
    from ...workspace.finding import find_workspace

    since = affected_base(find_workspace(request.folder).root, request.environment)
    return patterns or (f"...[{since}]",), since


def assemble_plan(
    request: Request,
    link: NodeLink,
    choice: Choice,
    *,
    mode: str,
    concurrency: int,
    is_adaptive: bool = False,
    exit_on_error: bool,
    takers: Container[int] | None = None,
    maker: StepMaker | None = None,
    limit: Limit | None = None,
) -> RunPlan:
    """Return the plan that runs `choice` with the shell, environment and arguments of `request`.

    Only the recipes at the places in `takers` get the arguments; None stands for all. `maker` is that of an earlier request with the
    same environment, `limit` a parameter of `assemble`.
    """
    maker = maker or StepMaker(request, link)
    return assemble(
        choice,
        mode=mode,
        concurrency=concurrency,
        is_adaptive=is_adaptive,
        exit_on_error=exit_on_error,
        make_environment=maker.environment,
        make_argv=maker.argv,
        make_word_argv=maker.word_argv,
        make_program=maker.program,
        arguments=" ".join(map(quote, request.invocation.arguments)),
        takers=takers,
        limit=limit,
    )


def _choose(wanted: Wanted) -> Choice:
    if not wanted.patterns and not wanted.every:
        from ...plan.one_package import choose_in_package

        path = find_nearest_manifest(wanted.cwd)
        found = read_manifest(path) if path is not None else None
        return choose_in_package(_usable(found), wanted)
    depends_on_git = bool(wanted.affected_since) or any("[" in pattern for pattern in wanted.patterns)
    if depends_on_git:
        dependencies.prevent_caching()
    choice = None if depends_on_git else plan_cache.load(wanted)
    if choice is None:
        from ...plan import choosing as run_plan
        from ...workspace.finding import find_workspace

        workspace = find_workspace(wanted.cwd)
        choice = run_plan.choose(workspace, wanted)
        if not depends_on_git:
            plan_cache.store(wanted, choice, workspace)
    return choice


def _usable(found: object) -> Manifest | None:
    """Return a manifest that could be read; warn about one that could not (its scripts are then words)."""
    from ...workspace.manifest import Manifest

    if found is None or isinstance(found, Manifest):
        return found
    warn(str(found))
    return None


def concurrency_of(given: str | None, mode: str) -> int:
    """Return how many scripts may run at once: as requested, within the limit on descriptors."""
    import resource

    from ..._native import available_cpus

    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    pipes = 1 if mode == MODE_FILTER else 2
    possible = _UNLIMITED if limit == resource.RLIM_INFINITY else max(1, (limit - _OWN_DESCRIPTORS) // pipes)
    if given is not None:
        return min(concurrency_limit(given, available_cpus()), possible)
    return min(MOST_AT_ONCE if mode == MODE_FILTER else _UNLIMITED, possible)


class StepMaker:
    """Makes the parts of a step that depend on this run: command line, environment, what can run in its place."""

    def __init__(self, request: Request, link: NodeLink) -> None:
        self._request = request
        self._link = link
        environment = _with_colour(request.environment)
        self._base = {name: value for name, value in environment.items() if not name.startswith(DROPPED)}
        self._requested = RecordedVariables(environment)
        wanted = request.invocation.text("shell")
        self._shell = shell_choice.shell_command(wanted, self._requested.get("PATH"), request.executable)
        self._in_own_shell = shell_choice.is_rt(wanted)
        self._direct = DirectCommands(self._requested, environment)
        self._wants_whole_processes = bool(request.environment.get(WHOLE_PROCESSES))
        self._chain = self._requested.get(CHAIN) or ""
        forced, path = request.invocation.is_set("rt"), self._requested.get("PATH")
        self._executables: dict[tuple[str, str], str | None] = {}
        self._node_folder = link.wanted_folder(forced=forced, path=path, folder=request.folder)
        self._paths = SearchPaths(
            path or DEFAULT_PATH, executable=request.executable, node_folder=self._node_folder, known=self._executables
        )

    def environment(
        self, manifest: Manifest | None, name: str, command: str
    ) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the environment of a script, and the variables of it that rt sets."""
        folder = manifest.folder if manifest else self._request.folder
        longer_chain(self._chain, folder, name)  # fails before anything has started

        def make() -> Mapping[str, str]:
            return script_environment(
                self._requested,
                manifest,
                folder=folder,
                executable=self._request.executable,
                event=name,
                command=command,
                node_folder=self._node_folder,
                known=self._executables,
            )

        path = self._paths.of(folder)
        variables = LateEnvironment(path, make)
        return LateEnvironment(path, lambda: {**self._base, **variables.plain()}), variables

    def argv(self, command: str) -> tuple[str, ...]:
        return (*self._shell, rewrite(command))

    def word_argv(self, word: str) -> tuple[str, ...]:
        """A source file runs with rt, anything else is a shell command."""
        is_path = word.startswith(("/", "./", "../")) or os.path.splitext(word)[1] in EXTENSIONS
        if is_path and find_file(word, self._request.folder) is not None:
            return (self._request.executable, word)
        return self.argv(word)

    def program(self, argv: tuple[str, ...], folder: str, environment: Mapping[str, str]) -> Means:
        """Return what can run in place of `argv`: a program in an engine worker, or a file without a shell."""
        executable = self._request.executable
        if self._in_own_shell and argv[:3] == self._shell:
            return argv, (), {}
        program: tuple[str, ...] = ()
        more: Mapping[str, str] = {}
        if not self._wants_whole_processes and (argv[0] == executable or argv[-1].startswith(("rt ", "node "))):
            dependencies.prevent_caching()  # `program_of` depends on more than it records
            program, environment = program_of(argv, folder=folder, environment=environment, executable=executable)
            more = environment if program else {}
        direct, left = self._direct.of(argv, folder, path=environment.get("PATH"), working_folder=self._base.get("PWD"))
        return program, direct, {**more, **left}


def _with_colour(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Enable the colours of scripts, whose output is a pipe, if rt's own output gets colours."""
    if "FORCE_COLOR" in environment or not wants_colour(1, environment):
        return environment
    depth = "1"
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        depth = "3"
    elif "256color" in environment.get("TERM", ""):
        depth = "2"
    return {**environment, "FORCE_COLOR": depth}


def show_dry_run(request: Request, plan: RunPlan) -> int:
    from ...output.reports.dry_run import dry_run_json, dry_run_text

    if request.invocation.text("dry-run") == "json":
        write(1, dry_run_json(plan))
    else:
        write(1, dry_run_text(plan, colour=wants_colour(1, request.environment)))
    return 0
