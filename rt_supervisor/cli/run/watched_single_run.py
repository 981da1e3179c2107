"""`--watch` of a source file, evaluated code or a single script: runs rt's own command line without the flag after each change."""

from __future__ import annotations

import os
import sys

from ...settings.environment import WATCH_INSPECT_PORT, WATCH_SIGNAL
from ...settings.target import FILE
from ...supervising.generations import Generations, followed_with, queue_signals
from ...vocabulary.events import Exited
from ...vocabulary.identity import file_time_ns, identity_of
from ...vocabulary.signal_names import signal_name, signal_number
from ...workers.client import GuardianClient
from ...workers.signals import die_of
from ...workers.terminal import has_terminal
from .. import streams
from ..colours import wants_colour
from ..line import arguments
from ..request import inspect_request, places_of, requested_by_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn

    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...settings.target import Target
    from ...vocabulary.identity import Identity
    from ...watching.watcher import Watcher
    from ...workspace.manifest import Manifest
    from ..request import Request

# Flags that the watching rt applies itself.
_OWN_FLAGS = ("watch", "watch-kill-signal", "watch-poll", "no-clear-screen", "cwd")
_ENV_FILES = (".env", ".env.local", ".env.development", ".env.production", ".env.test")
QUIET_MS = 30


def run_watched(
    request: Request, manifest: Manifest | None, target: Target | None, main: Callable[[ReadyEngine], NoReturn]
) -> int:
    """Run `target` (evaluated code without one) again after each change, until a signal ends rt. Raises Failed.

    `main` is the entry of rt, for engine workers.
    """
    from ...engine_worker.start.engine_host import EngineHost
    from ...output.displays.watch_lines import WatchLines
    from ...output.writer import Writer
    from .program_host import RtProgramHost

    out, err = Writer(1), Writer(2)
    started_ns = file_time_ns()
    files = _followed_from_the_start(request, target)
    is_program = target is None or target.kind == FILE
    grace_s = (request.invocation.number("watch-grace") or 0) / 1000
    queue, shares_terminal = queue_signals(), has_terminal()
    client = GuardianClient(
        share_terminal=shares_terminal,
        held_back=queue.mask,
        grace_s=grace_s,
        hosts={"engine": EngineHost(RtProgramHost(main))} if is_program else None,
    )
    has_colour = wants_colour(1, request.environment)
    invocation = request.invocation
    number = signal_number(invocation.text("watch-kill-signal") or "SIGTERM")
    generations = Generations(
        argv=(request.executable, *arguments.without(sys.argv[1:], _OWN_FLAGS)),
        environment=_environment(request, None if is_program else signal_name(number)),
        folder=request.folder,
        is_program=is_program,
        kill_signal=number,
        grace_s=grace_s,
        client=client,
        queue=queue,
        shares_terminal=shares_terminal,
        narrator=WatchLines(
            folder=request.folder,
            out=out,
            err=err,
            clears=out.is_terminal and has_colour and not invocation.is_set("no-clear-screen"),
            is_silent=invocation.is_set("silent"),
            colour=wants_colour(2, request.environment),
        ),
        make_changes=lambda: _files_to_follow(request, manifest, target, files, started_ns),
    )
    try:
        outcome = generations.run()
    finally:
        generations.close()
    if isinstance(outcome, Exited):
        return outcome.code
    die_of(outcome.signal)
    return 128 + outcome.signal


def _environment(request: Request, script_signal: str | None) -> dict[str, str]:
    """Return the environment of each generation: rt's own, as the variables of env files may change, too."""
    environment = dict(os.environ)
    if script_signal:
        environment[WATCH_SIGNAL] = script_signal
    invocation = request.invocation
    if not script_signal and (node_options := environment.get("NODE_OPTIONS")):
        from ..line.node_options import with_node_options

        invocation = with_node_options(invocation, node_options)
    given = inspect_request(invocation)
    if given is None or not given[1]:
        given = requested_by_variable(environment)
    if given:
        from ...settings.inspect_address import free_port

        port = free_port(given[0])  # the same in each generation, so that a client finds the next one
        if port:
            environment[WATCH_INSPECT_PORT] = str(port)
    return environment


def _followed_from_the_start(request: Request, target: Target | None) -> dict[str, Identity]:
    """Return the files that are followed before the program reports what it loads, with their identities."""
    files = {path: identity_of(path) for path in settings_files(request)}
    if target is not None and target.kind == FILE:
        entries = [os.path.realpath(target.path)] if target.path else _awaited(target.name, request)
        files |= followed_with({path: identity_of(path) for path in entries}, request.folder)
    return files


def _awaited(name: str, request: Request) -> list[str]:
    """Return the files of which one has to be made for the program `name` to start."""
    from ...settings.target import possible_files

    return possible_files(name, places_of(request, {}, ""))


def _files_to_follow(
    request: Request, manifest: Manifest | None, target: Target | None, files: Mapping[str, Identity], started_ns: int
) -> Watcher:
    is_program = target is None or target.kind == FILE
    root = manifest.folder if manifest is not None and not is_program else request.folder
    watcher = make_watcher(request, root)
    watcher.follow_files(files)
    if not is_program:
        watcher.follow_tree(root, since_ns=started_ns)  # the script runs already
    return watcher


def make_watcher(request: Request, root: str, *, include: Sequence[str] = ()) -> Watcher:
    """Return a watcher with the rules of flags and config, whose patterns are relative to `root`, as are those of `include`, which
    no rule leaves out."""
    from ...watching.rules import IgnoreRules
    from ...watching.watcher import Watcher

    invocation = request.invocation
    rules = IgnoreRules(
        root, ignore=invocation.texts("watch-ignore"), include=[*invocation.texts("watch-include"), *include]
    )
    quiet_ms = invocation.number("watch-debounce")
    return Watcher(
        rules,
        polls=invocation.is_set("watch-poll"),
        warn=streams.warn,
        quiet_s=(QUIET_MS if quiet_ms is None else quiet_ms) / 1000,
    )


def settings_files(request: Request) -> Sequence[str]:
    """Return the files that decide how rt runs: the config and the env files, whether or not they exist."""
    invocation = request.invocation
    named = invocation.texts("env-file") or (() if invocation.is_set("no-env-file") else _ENV_FILES)
    given = invocation.options.get("config")  # its default is written for people
    config = given if isinstance(given, str) else "rtfig.toml"
    return [os.path.normpath(os.path.join(request.folder, name)) for name in (config, *named)]
