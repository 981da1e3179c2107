"""The decision for `rt run NAME` of one script, binary or system command: its processes, and every message about them.

Reads the disk and the environment, and starts nothing: `single_run` executes the decision.
"""

from __future__ import annotations

import os

from ...output import plain
from ...plan.direct import DirectCommands
from ...plan.script_names import find_steps
from ...plan.script_text import append_arguments, rewrite
from ...settings import shell_choice
from ...settings.environment import DROPPED, WATCH_SIGNAL, script_environment
from ...settings.target import SCRIPT, SHELL_FILE, SYSTEM, binary_argv
from ...start.decision import Command, Decision
from ...start.dependencies import RecordedVariables, dependencies
from ...vocabulary.messages import GUARDIAN_LOST
from ...vocabulary.signal_names import signal_name
from ...workers.outcomes import refusals
from ..colours import wants_colour
from ..streams import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...settings.node_link import NodeLink
    from ...settings.target import Target
    from ...workspace.manifest import Manifest
    from ..request import Request

_REAL_TIME_END = 65


def decide(request: Request, manifest: Manifest | None, target: Target, link: NodeLink) -> Decision:
    """Return the decision for `target`. `link` has the folder whose `node` is rt. Raises Failed."""
    return _Deciding(request, manifest, link).decision(target)


class _Deciding:
    def __init__(self, request: Request, manifest: Manifest | None, link: NodeLink) -> None:
        self._request = request
        self._manifest = manifest
        self._is_silent = request.invocation.is_set("silent")
        self._requested = RecordedVariables(request.environment)
        self._colour = wants_colour(2, self._requested)
        self._link = link
        self._direct: DirectCommands | None = None
        self._forced = request.invocation.is_set("rt")

    def decision(self, target: Target) -> Decision:
        is_script = target.kind == SCRIPT
        commands = self._script(target.name) if is_script else [self._binary(target)]
        watch_signal = self._requested.get(WATCH_SIGNAL)
        names = (signal_name(number) for number in range(1, _REAL_TIME_END))
        signals = ("" if name == watch_signal else plain.signal_words(name, colour=self._colour) for name in names)
        exited = plain.script_exited if is_script else plain.binary_exited
        signaled = plain.script_signaled if is_script else plain.binary_signaled
        return Decision(
            commands,
            grace_ms=int(self._request.invocation.number("grace-period") or 0),
            dropped=DROPPED,
            exited="" if self._is_silent else exited(colour=self._colour) + "\n",
            signaled="" if self._is_silent else signaled(colour=self._colour) + "\n",
            signals=["", *signals],
            refusals=refusals(self._failure),
            lost=self._failure(GUARDIAN_LOST),
        )

    def _script(self, name: str) -> list[Command]:
        """Return the commands of the script `name` with its hooks."""
        assert self._manifest is not None
        steps, main = find_steps(self._manifest, name)
        return [self._command(step, command, is_main=place == main) for place, (step, command) in enumerate(steps)]

    def _command(self, name: str, command: str, *, is_main: bool) -> Command:
        assert self._manifest is not None
        command = rewrite(command)
        text = append_arguments(command, self._request.invocation.arguments) if is_main else command
        argv = (*self._shell(), text)
        variables = self._variables(event=name, command=command)
        if self._direct is None:
            self._direct = DirectCommands(self._requested, self._request.environment)
        folder = self._manifest.folder
        direct, left = self._direct.of(
            argv, folder, path=variables.get("PATH"), working_folder=self._requested.get("PWD")
        )
        return Command(
            name=shown(2, name),
            echo="" if self._is_silent else shown(2, plain.echo(text, colour=self._colour) + "\n"),
            argv=argv,
            direct=direct,
            folder=folder,
            variables=variables | left,
            quiet=plain.SCRIPT_QUIET,
        )

    def _binary(self, target: Target) -> Command:
        """Return the command for a local binary, a system command or a shell script in the working folder."""
        arguments = self._request.invocation.arguments
        use_rt = self._request.invocation.is_set("rt")
        if target.kind == SYSTEM and not target.path:  # node, which is rt
            argv: tuple[str, ...] = (f"{self._link.folder()}/node", *arguments)
        else:
            node = f"{self._link.folder()}/node" if use_rt else self._request.executable
            argv = binary_argv(target, arguments, executable=node, use_rt=use_rt)
        if target.kind == SHELL_FILE:
            argv = (*self._shell()[:-1], target.path, *arguments)
        return Command(
            name=shown(2, target.name),
            echo="",
            argv=argv,
            folder=self._request.folder,
            variables=self._variables(event=None, command=None),
            quiet=plain.BINARY_QUIET,
        )

    def _shell(self) -> tuple[str, ...]:
        wanted = self._request.invocation.text("shell")
        return shell_choice.shell_command(wanted, self._requested.get("PATH"), self._request.executable)

    def _variables(self, *, event: str | None, command: str | None) -> dict[str, str]:
        """Return the variables that a script gets in addition to rt's environment: those of --env-file, and npm's."""
        base = self._request.environment
        from_files = {}
        if base is not os.environ:
            dependencies.prevent_caching()  # such files depend on the environment, too
            from_files = {name: base[name] for name in base if name not in os.environ}
        folder = self._manifest.folder if self._manifest and event else self._request.folder
        environment = script_environment(
            self._requested,
            self._manifest,
            folder=folder,
            executable=self._request.executable,
            event=event,
            command=command,
            node_folder=self._link.wanted_folder(forced=self._forced, path=self._requested.get("PATH"), folder=folder),
        )
        kept = {name: value for name, value in from_files.items() if not name.startswith(DROPPED)}
        return kept | environment

    def _failure(self, message: str) -> str:
        return shown(2, plain.error(message, colour=wants_colour(2, self._requested)) + "\n")
