"""The decision for `rt run NAME` of one script, binary or system command: its processes, and every message about them.

Reads the disk and the environment, and starts nothing: `single_run` executes the decision.
"""

from __future__ import annotations

import errno
import os

from ...output import plain
from ...plan.direct import DirectCommands
from ...plan.script_names import find_steps
from ...plan.script_text import append_arguments, rewrite
from ...settings import shell_choice
from ...settings.environment import DROPPED, script_environment
from ...settings.target import SCRIPT, SHELL_FILE, SYSTEM, binary_argv
from ...start.decision import Decision, Step
from ...start.dependencies import RecordedVariables, dependencies
from ...vocabulary.signal_names import signal_name
from ...workers.outcomes import GUARDIAN_LOST, refusal
from ..colours import wants_colour
from ..streams import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...settings.node_link import NodeLink
    from ...settings.target import Target
    from ...workspace.manifest import Manifest
    from ..request import Request

_REAL_TIME_END = 65
_REFUSED = (errno.EAGAIN, errno.E2BIG, errno.ENOMEM)


def decide(request: Request, manifest: Manifest | None, target: Target, link: NodeLink) -> Decision:
    """Return the decision for `target`. `link` has the folder whose `node` is rt. Raises Failed."""
    return _Deciding(request, manifest, link).decision(target)


class _Deciding:
    def __init__(self, request: Request, manifest: Manifest | None, link: NodeLink) -> None:
        self._request = request
        self._manifest = manifest
        self._is_silent = request.invocation.is_set("silent")
        self._asked = RecordedVariables(request.environment)
        self._colour = wants_colour(2, self._asked)
        self._link = link
        self._direct: DirectCommands | None = None
        self._forced = request.invocation.is_set("rt")

    def decision(self, target: Target) -> Decision:
        steps = self._script(target.name) if target.kind == SCRIPT else [self._binary(target)]
        signals = [
            "",
            *(plain.signal_words(signal_name(number), colour=self._colour) for number in range(1, _REAL_TIME_END)),
        ]
        before = self._failure(refusal(0, "", None).failure.message).removesuffix(": \n")
        return Decision(
            steps,
            grace_ms=int(self._request.invocation.number("grace-period") or 0),
            dropped=DROPPED,
            signals=[f"{words}\n" if words else "" for words in signals],
            refused={number: self._failure(refusal(number, "", None).failure.message) for number in _REFUSED},
            refused_else=(before, ": ", "\n"),
            lost=self._failure(GUARDIAN_LOST),
        )

    def _script(self, name: str) -> list[Step]:
        """Return the steps of the script `name` with its hooks."""
        assert self._manifest is not None
        steps, main = find_steps(self._manifest, name)
        return [self._step(step, command, is_main=place == main) for place, (step, command) in enumerate(steps)]

    def _step(self, name: str, command: str, *, is_main: bool) -> Step:
        assert self._manifest is not None
        command = rewrite(command)
        text = append_arguments(command, self._request.invocation.arguments) if is_main else command
        argv = (*self._shell(), text)
        variables = self._variables(event=name, command=command)
        if self._direct is None:
            self._direct = DirectCommands(self._asked, self._request.environment)
        folder = self._manifest.folder
        direct, left = self._direct.of(argv, folder, path=variables.get("PATH"), working_folder=self._asked.get("PWD"))
        return Step(
            echo="" if self._is_silent else shown(2, plain.echo(text, colour=self._colour) + "\n"),
            argv=argv,
            direct=direct,
            folder=folder,
            variables=variables | left,
            quiet=plain.SCRIPT_QUIET,
            exited="" if self._is_silent else shown(2, plain.script_exited(name, colour=self._colour)),
            signaled="" if self._is_silent else shown(2, plain.script_signaled(name, colour=self._colour)),
        )

    def _binary(self, target: Target) -> Step:
        """Return the step of a local binary, a system command or a shell script in the working folder."""
        arguments = self._request.invocation.arguments
        use_rt = self._request.invocation.is_set("rt")
        if target.kind == SYSTEM and not target.path:  # node, which is rt
            argv: tuple[str, ...] = (f"{self._link.folder()}/node", *arguments)
        else:
            argv = binary_argv(target, arguments, executable=self._request.executable, use_rt=use_rt)
        if target.kind == SHELL_FILE:
            argv = (*self._shell()[:-1], target.path, *arguments)
        return Step(
            echo="",
            argv=argv,
            folder=self._request.folder,
            variables=self._variables(event=None, command=None),
            quiet=plain.BINARY_QUIET,
            exited="" if self._is_silent else shown(2, plain.binary_exited(target.name, colour=self._colour)),
            signaled="" if self._is_silent else shown(2, plain.binary_signaled(target.name, colour=self._colour)),
        )

    def _shell(self) -> tuple[str, ...]:
        wanted = self._request.invocation.text("shell")
        return shell_choice.shell_command(wanted, self._asked.get("PATH"), self._request.executable)

    def _variables(self, *, event: str | None, command: str | None) -> dict[str, str]:
        """Return the variables that a script gets in addition to rt's environment: those of --env-file, and npm's."""
        base = self._request.environment
        from_files = {}
        if base is not os.environ:
            dependencies.prevent_caching()  # such files depend on the environment, too
            from_files = {name: base[name] for name in base if name not in os.environ}
        folder = self._manifest.folder if self._manifest and event else self._request.folder
        environment = script_environment(
            self._asked,
            self._manifest,
            folder=folder,
            executable=self._request.executable,
            event=event,
            command=command,
            node_folder=self._link.wanted_folder(forced=self._forced, path=self._asked.get("PATH"), folder=folder),
        )
        kept = {name: value for name, value in from_files.items() if not name.startswith(DROPPED)}
        return kept | environment

    def _failure(self, message: str) -> str:
        return shown(2, plain.error(message, colour=wants_colour(2, self._asked)) + "\n")
