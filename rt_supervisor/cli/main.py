"""From argv to an exit status: parses, dispatches to a command, and prints its failure.

Everything that spawns processes or hosts the engine is behind `Runners`, so that this module stays cheap to import, and so
that tests see what would run.
"""

from __future__ import annotations

import os
import sys

from .. import NODE_VERSION
from ..settings.environment import ancestors, own_executable
from ..settings.target import FILE, MODULE_NOT_FOUND, NOT_FOUND, PAGE, Target, find_target
from ..start.dependencies import depend_on
from ..vocabulary.errors import Failed
from ..vocabulary.record import replace
from .colours import wants_colour, wants_notes
from .line import arguments, commands
from .request import SEVERAL_SCRIPTS, Request, change_folder, make_request, places_of, script_request
from .streams import print_failure, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from ..workspace.manifest import Manifest
    from .line.arguments import Invocation

    class Runners(Protocol):
        """What runs commands. Each method returns an exit status unless stated otherwise; all may raise `Failed`."""

        def find_manifest(self, folder: str) -> Manifest | None:
            """Return the nearest package.json at or above `folder`."""

        def package_names(self, folder: str) -> Iterable[str]:
            """Return the names of the workspace's packages, for completions."""

        def selected_scripts(self, folder: str, patterns: Sequence[str]) -> Mapping[str, int]:
            """Return how many of the packages that `patterns` select (all without patterns) have each script."""

        def run_single(self, request: Request, manifest: Manifest | None, target: Target) -> int:
            """Run a script, binary or system command."""

        def run_many(self, request: Request) -> int:
            """Run with --filter, --workspaces, --parallel or --sequential."""

        def run_tasks(self, request: Request) -> int:
            """Run tasks, in the order of their graph."""

        def show_tasks(self, request: Request) -> int:
            """`rt tasks`."""

        def show_affected(self, request: Request) -> int:
            """`rt affected`."""

        def manage_cache(self, request: Request) -> int:
            """`rt cache`."""

        def run_program(self, request: Request, target: Target | None) -> int:
            """Run a source file, standard input (target "-"), or evaluated code (no target) in the engine."""

        def run_watched(self, request: Request, manifest: Manifest | None, target: Target | None) -> int:
            """Run one target, or evaluated code (no target), again after each change of its files."""

        def run_agent(self, arguments: Sequence[str]) -> int:
            """`rt agent`."""

        def run_shell(self, request: Request) -> int:
            """`rt shell`."""

        def show_graph(self, request: Request) -> int:
            """`rt graph`."""

        def control_run(self, request: Request) -> int:
            """A command of `commands.OF_RUNS`."""


STDIN = "stdin"
_ONLY_TASKS = ("resume", "resume-from", "shard", "summarize", "outputs")
_SNAPSHOTS = ("build-snapshot", "build-snapshot-config", "snapshot-blob")
_NEVER_TASKS = ("parallel", "sequential", "eval", "print", "interactive")


def main(argv: Sequence[str], runners: Runners, *, called_as: str = "rt") -> int:
    """Execute the command line `argv` (without the program's name) and return the exit status.

    `called_as` is the name rt was called by: under `node` (the link of --rt) it reads its command line as node does.
    """
    if called_as == "node" and any(word.startswith("--run") for word in argv):
        from .line import node_run

        if (requested := node_run.requested(argv)) is not None:
            try:
                node_run.execute(*requested)
            except node_run.Unrunnable as refusal:
                write(2, str(refusal))
                return refusal.status
    if called_as == "node" and "--completion-bash" in argv:
        from .line import node_completion

        if node_completion.is_requested(argv):
            write(1, node_completion.script())
            return 0
    try:
        invocation = (
            arguments.parse_as_node(argv, refuses_unknown=True) if called_as == "node" else arguments.parse(argv)
        )
        if called_as == "node" and invocation.command == arguments.VERSION:
            write(1, f"v{NODE_VERSION}\n")
            return 0
        return _dispatch(invocation, runners, as_node=called_as == "node")
    except Failed as failed:
        return _print_failure_as_node(failed, argv) if called_as == "node" else print_failure(failed)
    except BrokenPipeError:
        return 141  # as if SIGPIPE had ended rt: its output has no reader


def _print_failure_as_node(failed: Failed, argv: Sequence[str]) -> int:
    """Print a failure of the command line as Node prints it, and any other one as rt does; return the exit status."""
    from .line import node_refusals

    thrown = node_refusals.thrown_text(failed.failure)
    if thrown is not None:
        write(2, f"{thrown}\n\nNode.js v{NODE_VERSION}\n")
        return 1
    message = node_refusals.node_message(failed.failure, list(argv))
    if message is None:
        return print_failure(failed)
    name = sys._xoptions.get("rt-argv0", "node")
    write(2, "".join(f"{name}: {line}\n" for line in message.splitlines()))
    return node_refusals.status_of(failed.failure)


def _dispatch(invocation: Invocation, runners: Runners, *, as_node: bool) -> int:
    command = invocation.command
    if invocation.is_set("v8-options"):
        from .run.v8_options import print_v8_options

        print_v8_options()
        return 0
    if command == arguments.VERSION:
        from .run.version import version_text

        write(1, version_text(with_revision=invocation.is_set("revision")) + "\n")
        return 0
    if command == arguments.HELP:
        return _help(invocation, runners)
    is_for_help = invocation.arguments[:1] in (("-h",), ("--help",))
    if is_for_help and command in ("x", "completions", "shell", "agent"):
        return _help(replace(invocation, command=arguments.HELP, arguments=(command,)), runners)
    if command == "completions":
        from .run.completions import print_completions

        return print_completions(invocation.arguments, runners)
    change_folder(invocation)
    if command in commands.ABSENT:
        raise _absent(command, runners)
    if command == "init":
        from .run.init import write_config

        return write_config(os.getcwd())
    if command == "doctor":
        from .run.doctor import print_findings

        return print_findings(own_executable(), os.environ)
    if command == "agent":
        return runners.run_agent(invocation.arguments)
    request = make_request(invocation, as_node=as_node)
    if request.invocation.is_set("no-orphans"):
        from ..start.dependencies import dependencies
        from ..workers.orphans import end_with_parent

        dependencies.prevent_caching()  # the launcher would not do this
        end_with_parent()
    if invocation.is_set("detach") and command not in (arguments.RUN, *commands.OF_RUNS):
        _check_detach(request.invocation)
    if command in commands.OF_RUNS:
        return _run_or_control(request, runners)
    if command == "graph":
        return runners.show_graph(request)
    if command == "tasks":
        return runners.show_tasks(request)
    if command == "affected":
        return runners.show_affected(request)
    if command == "cache":
        return runners.manage_cache(request)
    if command == "shell":
        return runners.run_shell(request)
    if command == arguments.EXEC:
        return _exec(request, runners)
    if command == "x":
        from .run.binary import prepare_binary

        request, target = prepare_binary(request)
        manifest, _ = _nearest_manifest(request, runners)
        return runners.run_single(script_request(request), manifest, target)
    if command == "repl":
        return runners.run_program(request, None)
    if command == "inspect":
        return runners.run_program(_with_option(request, "interactive"), None)
    return _run(request, runners)


def _run_or_control(request: Request, runners: Runners) -> int:
    """Run the script, file or binary that a command of `commands.OF_RUNS` may also name; without one, carry out the command."""
    command = request.invocation.command
    manifest, problem = _nearest_manifest(request, runners)
    places = places_of(request, manifest.scripts if manifest else {}, problem)
    try:
        find_target(command, places, with_run=False)
    except Failed as failed:
        if failed.failure.reason in NOT_FOUND:
            if request.invocation.arguments[:1] in (("-h",), ("--help",)):
                return _help(arguments.Invocation(arguments.HELP, (), (command,), {}), runners)
            return runners.control_run(request)
    as_run: Request = replace(request, invocation=replace(request.invocation, command=arguments.RUN))
    return _run(as_run, runners)


def _run(request: Request, runners: Runners) -> int:
    invocation = request.invocation
    if invocation.is_set("detach") and not invocation.is_set("dry-run"):
        _check_detach(invocation)
    if not invocation.options.keys().isdisjoint(_SNAPSHOTS):
        from .run import stored_heaps

        if stored_heaps.builds(invocation):
            return runners.run_program(request, stored_heaps.builder(request))
        if stored_heaps.starts_main(request):
            return runners.run_program(stored_heaps.with_all_arguments(request), None)
        if request.as_node:
            request = stored_heaps.with_file(request)
            invocation = request.invocation
    if invocation.is_set("parallel") and invocation.is_set("sequential"):
        raise Failed("both-orders", "--parallel and --sequential cannot be used together")
    if "on" in request.given and not (_has_tasks(request) or invocation.options.keys() & {"tasks", "eval", "print"}):
        # Only tasks have outputs, without which nothing could come back from an agent.
        invocation = replace(invocation, options={**invocation.options, "tasks": True})
        request = replace(request, invocation=invocation)
    is_multi = any(invocation.is_set(name) for name in SEVERAL_SCRIPTS) or _has_tasks(request)
    evaluates = bool(invocation.options.keys() & {"eval", "print"})
    is_code = evaluates or invocation.names == (arguments.STDIN,)
    _refuse_ineffective_flags(request, is_multi=is_multi and not is_code, is_code=is_code)
    is_repl = invocation.is_set("interactive") and not invocation.names
    if "test" in invocation.tests or is_repl:
        return runners.run_program(request, None)  # with --watch, the test runner itself watches
    if evaluates:
        return (
            runners.run_watched(request, None, None)
            if invocation.is_set("watch")
            else runners.run_program(request, None)
        )
    if _has_tasks(request):
        return _run_tasks(script_request(request), runners)
    if requested := [f"--{name}" for name in _ONLY_TASKS if name in request.given]:
        raise Failed(
            "needs-tasks", f"{requested[0]} requires a run of tasks: add --tasks, or define the task in rtfig.toml"
        )
    if is_multi:
        return _run_many(script_request(request), runners)
    if not invocation.names:
        return _listing(request, runners)
    (name,) = invocation.names
    if name == arguments.STDIN:
        if invocation.is_set("watch"):
            raise Failed(
                "watch-of-stdin", "--watch runs a file again when it changes; standard input can be read only once"
            )
        return runners.run_program(request, Target(STDIN, name))
    manifest, problem = _nearest_manifest(request, runners)
    if name[0] == "/" and (selected := _select_by_expression(request, manifest)) is not None:
        return _run(selected, runners)
    places = places_of(request, manifest.scripts if manifest else {}, problem)
    try:
        target = find_target(name, places, with_run=invocation.with_run, node_is_rt=invocation.is_set("rt"))
    except Failed as failed:
        if failed.failure.reason in NOT_FOUND and invocation.is_set("if-present"):
            return 0
        if failed.failure.reason == MODULE_NOT_FOUND and invocation.is_set("watch"):
            return runners.run_watched(request, manifest, Target(FILE, name))  # it waits for the file
        if failed.failure.reason != MODULE_NOT_FOUND or not request.as_node:
            if wants_notes(request.environment):
                failed.hint = _meant(name, manifest, with_run=invocation.with_run)
            raise
        target = Target(
            FILE, name, os.path.abspath(os.path.join(places.folder, name))
        )  # the program reports it, as in Node
    if invocation.is_set("check") and target.kind != FILE:
        raise Failed("check-needs-file", f'--check reads a source file, and "{name}" is not one')
    if target.kind == PAGE:
        from .run.pages import page_request

        return runners.run_program(page_request(request, target.path), None)
    if target.kind != FILE:
        request = script_request(request)
    if invocation.is_set("dry-run") or invocation.is_set("detach"):  # a single script is a sequence of one
        return runners.run_many(_with_option(request, "sequential"))
    if invocation.is_set("watch"):
        return runners.run_watched(request, manifest, target)
    if target.kind == FILE:
        return runners.run_program(request, target)
    return runners.run_single(request, manifest, target)


def _meant(name: str, manifest: Manifest | None, *, with_run: bool) -> str:
    """Return a note on what a name without a match may have meant: a script, or a command of rt; "" if nothing is close."""
    from ..workspace.suggestions import closest, explain_script_entry, suggest_script

    if manifest is not None and (hint := explain_script_entry(name, manifest.path)):
        return hint
    command = None if with_run else closest(name, commands.NAMES)
    if manifest is not None and (hint := suggest_script([name], manifest.scripts)):
        return hint if command is None else f"{hint} Or the command `rt {command}`?"
    return "" if command is None else f"did you mean `rt {command}`?"


def _exec(request: Request, runners: Runners) -> int:
    """Run a command in each selected package; without a selection in the working folder."""
    invocation = request.invocation
    if not invocation.names:
        raise Failed("no-names", "rt exec requires a command: rt exec --filter PATTERN -- COMMAND")
    if invocation.is_set("filter") or invocation.is_set("workspaces"):
        return runners.run_many(request)
    if " " in invocation.names[0] and not invocation.arguments:  # a command of a shell, as in the peer
        return runners.run_shell(
            replace(request, invocation=replace(invocation, arguments=("-c", invocation.names[0])))
        )
    manifest, problem = _nearest_manifest(request, runners)
    target = find_target(invocation.names[0], places_of(request, {}, problem), with_run=True)
    return (
        runners.run_program(request, target) if target.kind == FILE else runners.run_single(request, manifest, target)
    )


def _check_detach(invocation: Invocation) -> None:
    """Raise Failed if the request is not one for scripts or files, which alone can run in the background."""
    is_code = bool(invocation.options.keys() & {"eval", "print", "interactive"}) or "test" in invocation.tests
    is_listing = not invocation.names or invocation.names == (arguments.STDIN,)
    selects = invocation.is_set("filter") or invocation.is_set("workspaces")
    is_script = invocation.command == arguments.RUN or (invocation.command == arguments.EXEC and selects)
    if is_code or is_listing or not is_script:
        raise Failed("detach-needs-script", "--detach requires a script or a file to run in the background")


def _select_by_expression(request: Request, manifest: Manifest | None) -> Request | None:
    """Return the request for the scripts that `/expression/` matches: one by itself, several with --parallel; else None."""
    from ..plan.script_names import expand, is_expression

    (name,) = request.invocation.names
    if not is_expression(name) or os.path.exists(depend_on(name)):
        return None
    scripts = expand(manifest, name)
    if scripts in ([], [name]):
        return None
    selected: Request = replace(request, invocation=replace(request.invocation, names=tuple(scripts)))
    return _with_option(selected, "parallel") if len(scripts) > 1 else selected


def _with_option(request: Request, name: str) -> Request:
    changed: Request = replace(
        request, invocation=replace(request.invocation, options={**request.invocation.options, name: True})
    )
    return changed


def _refuse_ineffective_flags(request: Request, *, is_multi: bool, is_code: bool) -> None:
    """Raise Failed for a flag on the command line without effect: a single script writes to rt's own streams, so rt cannot report
    on it."""
    invocation = request.invocation
    if is_code and invocation.is_set("dry-run"):
        raise Failed("dry-run-of-code", "--dry-run shows which scripts would run, but this is not a script")
    if is_multi:
        return
    requested = [
        f"--{name}" for name in ("report", "summary", "trace") if name in request.given and invocation.is_set(name)
    ]
    if "output" in request.given and invocation.text("output") != "stream":
        requested.append("--output")
    if requested:
        instead = f" (try `rt run --sequential {requested[0]}`)" if invocation.names else ""
        raise Failed(
            "needs-several-scripts",
            f"{requested[0]} requires --filter, --workspaces, --parallel or --sequential{instead}",
        )


def _run_many(request: Request, runners: Runners) -> int:
    invocation = request.invocation
    if not invocation.names:
        if invocation.is_set("parallel") or invocation.is_set("sequential"):
            raise Failed("no-names", "--parallel/--sequential requires at least one script name")
        raise Failed("no-names", "No script name provided")
    return runners.run_many(request)


def _has_tasks(request: Request) -> bool:
    """Return whether the run is one of tasks: --tasks or --cache is given, or rtfig.toml defines a task of the name."""
    invocation = request.invocation
    wanted = invocation.options.get("tasks")
    if wanted is not None:
        return bool(wanted) and not invocation.options.keys() & {"eval", "print"}
    is_run = invocation.with_run or any(map(invocation.is_set, ("filter", "workspaces", "affected")))
    if not is_run or not invocation.names or not invocation.options.keys().isdisjoint(_NEVER_TASKS):
        return False
    if invocation.is_set("cache"):
        return True
    for folder in ancestors(request.folder):
        path = os.path.join(folder, "rtfig.toml")
        if os.path.lexists(depend_on(path)):
            from ..settings.config import mentions_tasks

            if not mentions_tasks(path):
                continue
            from ..tasks.rtfig_source import defined_names

            if not defined_names(path).isdisjoint(invocation.names):
                return True
    return False


def _run_tasks(request: Request, runners: Runners) -> int:
    invocation = request.invocation
    given = [f"--{name}" for name in _NEVER_TASKS if name in invocation.options]
    if given:
        raise Failed("tasks-without", f"--tasks and {given[0]} cannot be used together")
    if not invocation.names:
        raise Failed("no-names", "--tasks requires at least one task name")
    return runners.run_tasks(request)


def _listing(request: Request, runners: Runners) -> int:
    from .line.listing import listing

    manifest = runners.find_manifest(request.folder)
    write(1, listing(manifest.scripts if manifest else None, colour=wants_colour(1, os.environ)))
    return 0


def _help(invocation: Invocation, runners: Runners) -> int:
    from .line import help as help_text

    width, colour = help_text.terminal_width(1), wants_colour(1, os.environ)
    topic = invocation.arguments[0] if invocation.command == arguments.HELP and invocation.arguments else ""
    if invocation.with_run or topic == "run":
        text = help_text.run_help(width, colour=colour)
    elif not topic or invocation.names or topic == "help":
        text = help_text.overview(width, colour=colour)
    elif topic in commands.NAMES:
        text = help_text.command_help(topic, width, colour=colour)
    else:
        return _show_page(topic, invocation, runners)
    write(1, text)
    return 0


def _show_page(topic: str, invocation: Invocation, runners: Runners) -> int:
    """Show the page `topic` of the documentation. Raises Failed if there is none."""
    from .line.topics import page_path, topics

    path = page_path(topic)
    if path is None:
        from ..workspace.suggestions import closest

        known = [*commands.NAMES, *topics()]
        near = closest(topic, known)
        hint = f"did you mean `rt help {near}`?" if near else f"topics: {', '.join(topics())}"
        raise Failed("no-such-topic", f'"{topic}" is not a command or a topic of the documentation', hint=hint)
    from .run.pages import page_request

    request = make_request(replace(invocation, command=arguments.RUN, arguments=()))
    return runners.run_program(page_request(request, path), None)


def _nearest_manifest(request: Request, runners: Runners) -> tuple[Manifest | None, str]:
    """Return the manifest, or the problem with it: files and system commands run beside a broken one."""
    try:
        return runners.find_manifest(request.folder), ""
    except Failed as failed:
        return None, failed.failure.message


def _absent(command: str, runners: Runners) -> Failed:
    message = f'"{command}" is not a command of this version of rt: {commands.ABSENT[command]}'
    try:
        manifest = runners.find_manifest(os.getcwd())
    except Failed:
        manifest = None
    if manifest and manifest.scripts.get(command):
        message += f"\nnote: to run the script of that name in package.json, use `rt run {command}`"
    return Failed("no-such-command", message)
