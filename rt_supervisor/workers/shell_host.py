"""rt's own shell in a zygote: under `--shell=rt`, a script needs a fork of a process that has the shell, instead of a
start.

`workers.zygote` prepares the forks; this module runs scripts in them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import NoReturn


class ShellHost:
    """Runs command lines of the form path, "shell", "-c", the text, arguments."""

    ignored: Collection[int] = ()
    takes_missed_signals = True

    def prepare(self) -> None:
        """Import the shell, so that workers have it."""
        from ..shell import running  # noqa: F401
        from ..shell.builtins import making, printing, streams  # noqa: F401

    def become_own(self) -> None:
        """Do nothing: the shell has no state that must differ between processes."""

    def command_line(self, program: Sequence[str]) -> Sequence[bytes]:
        from ..shell.state import encoded

        return [encoded(word).replace(b"\0", b"?") for word in program]

    def run(self, program: Sequence[str], *, ignored: int) -> NoReturn:
        from ..shell.running import become_shell

        environment = os.environ
        title = environment.get("npm_lifecycle_event", "-c")
        become_shell(program[3], environment=environment, ignored=ignored, title=title, arguments=program[4:])
