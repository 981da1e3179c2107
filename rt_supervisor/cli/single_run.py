"""`rt run NAME` of one script, binary or system command, in the foreground with rt's own streams."""

from __future__ import annotations

from .. import shell_choice
from ..environment import script_environment
from ..events import Exited
from ..node_link import NodeLink
from ..output import plain
from ..script_names import find_steps
from ..script_text import rewritten, with_arguments
from ..signal_names import signal_name
from ..target import SCRIPT, SHELL_FILE, binary_argv
from ..workers.foreground import Foreground
from ..workers.signals import die_of
from .colours import wants_colour
from .streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..events import Signaled
    from ..manifest import Manifest
    from ..target import Target
    from .request import Request


def run_single(request: Request, manifest: Manifest | None, target: Target) -> int:
    """Run `target` to its end and return its exit status; dies of the signal that ended it. Raises Failed."""
    run = _SingleRun(request, manifest)
    try:
        outcome = run.script(target.name) if target.kind == SCRIPT else run.binary(target)
    finally:
        run.close()
    if isinstance(outcome, Exited):
        return outcome.code
    die_of(outcome.signal)
    return 128 + outcome.signal


class _SingleRun:
    def __init__(self, request: Request, manifest: Manifest | None) -> None:
        self._request = request
        self._manifest = manifest
        self._silent = request.invocation.is_set("silent")
        self._colour = wants_colour(2, request.environment)
        self._link = NodeLink(request.executable)
        self._foreground: Foreground | None = None

    def script(self, name: str) -> Exited | Signaled:
        """Run the script `name` between its hooks, as far as they succeed."""
        assert self._manifest is not None
        shell = shell_choice.chosen_shell(self._request.invocation.text("shell"), self._request.environment.get("PATH"))
        steps, main = find_steps(self._manifest, name)
        outcome: Exited | Signaled = Exited(0)
        for place, (step, command) in enumerate(steps):
            command = rewritten(command)
            text = with_arguments(command, self._request.invocation.arguments) if place == main else command
            if not self._silent:
                say(plain.echo(text, colour=self._colour))
            environment = self._environment(event=step, command=command)
            outcome = self._run((shell, "-c", text), environment, self._manifest.folder)
            if outcome != Exited(0):
                if not self._silent:
                    self._tell_script(step, outcome)
                break
        return outcome

    def binary(self, target: Target) -> Exited | Signaled:
        """Run a local binary, a system command or a shell script where the user stands."""
        arguments = self._request.invocation.arguments
        use_rt = self._request.invocation.is_set("rt")
        argv = binary_argv(target, arguments, executable=self._request.executable, use_rt=use_rt)
        if target.kind == SHELL_FILE:
            argv = (shell_choice.system_shell(self._request.environment.get("PATH")), target.path, *arguments)
        outcome = self._run(argv, self._environment(event=None, command=None), self._request.folder)
        if isinstance(outcome, Exited):
            line = plain.binary_exited(target.name, outcome.code, colour=self._colour)
        else:
            line = plain.binary_signaled(target.name, signal_name(outcome.signal), colour=self._colour)
        if line and not self._silent:
            say(line)
        return outcome

    def close(self) -> None:
        if self._foreground is not None:
            self._foreground.close()
        self._link.remove()

    def _tell_script(self, name: str, outcome: Exited | Signaled) -> None:
        if isinstance(outcome, Exited):
            line = plain.script_exited(name, outcome.code, colour=self._colour)
        else:
            line = plain.script_signaled(name, signal_name(outcome.signal), colour=self._colour)
        if line:
            say(line)

    def _run(self, argv: tuple[str, ...], environment: Mapping[str, str], folder: str) -> Exited | Signaled:
        if self._foreground is None:
            grace_ms = self._request.invocation.number("grace-period") or 0
            self._foreground = Foreground(grace_s=grace_ms / 1000)
        return self._foreground.run(argv=argv, environment=environment, folder=folder)

    def _environment(self, *, event: str | None, command: str | None) -> dict[str, str]:
        folder = self._manifest.folder if self._manifest and event else self._request.folder
        return script_environment(
            self._request.environment,
            self._manifest,
            folder=folder,
            executable=self._request.executable,
            event=event,
            command=command,
            node_folder=self._link.folder() if self._request.invocation.is_set("rt") else None,
        )
