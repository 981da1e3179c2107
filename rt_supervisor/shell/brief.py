"""Brief commands: builtins that never block and print little. In a pipeline or `$( )`, they run immediately, and their
output is buffered in memory.

Any other command needs a thread and a pipe there, which cost a hundred times as much.
"""

from __future__ import annotations

import os

from .builtins.calls import Output
from .tree import ArithmeticExpansion, CommandSubstitution, Parameter, ProcessSubstitution, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .tree import Command, Word

    Io = dict[int, int]

_NAMES = frozenset(("echo", "printf", "pwd", "basename", "dirname", "true", "false", ":", "test", "[", "which", "type"))
_LARGEST_FILE = 16_384


class NotBrief(Exception):
    """The builtin does not support an option, so the system's command has to run. Nothing has been done yet."""


class KeptOutput(Output):
    """Buffers the output of a command in memory."""

    __slots__ = ()

    def flush(self) -> None:
        """Do nothing: the output stays in memory."""

    def take(self) -> bytes:
        return b"".join(self._blocks)


def is_brief(command: Command, shell: Interpreter) -> bool:
    """Return whether `command` is brief, as far as can be determined before its words are expanded."""
    if not isinstance(command, Simple) or command.redirections or not command.words:
        return False
    name = command.words[0].literal
    state = shell.state
    if name is None or name in state.functions or "xtrace" in state.options or state.traps:
        return False
    if name == "cat":
        return _is_of_small_files(command, shell)
    if name not in _NAMES:
        return False
    return not any(map(_runs_commands, command.words)) and not any(
        _runs_commands(assignment.value) for assignment in command.assignments
    )


def _runs_commands(word: Word) -> bool:
    """Return whether `word` contains `$( )` or `<( )`."""
    if not word.has_substitution:
        return False
    for part in word.parts:
        if isinstance(part, CommandSubstitution | ProcessSubstitution):
            return True
        if isinstance(part, Parameter):
            operands = (part.operand, part.second)
            if any(operand is not None and _runs_commands(operand) for operand in operands):
                return True
        elif isinstance(part, ArithmeticExpansion) and _runs_commands(part.expression):
            return True
    return False


def run_brief(command: Command, shell: Interpreter, io: Io) -> tuple[int, bytes]:
    """Run `command` in `shell`, a subshell created for it; return its status and output. Raises NotBrief."""
    shell.kept_output = KeptOutput(-1)
    status = shell.run_whole(command, io)
    return status, shell.kept_output.take()


def _is_of_small_files(command: Simple, shell: Interpreter) -> bool:
    """Return whether all operands are small regular files; empty ones do not count, since files of /proc report that
    size."""
    names = [word.literal for word in command.words[1:]]
    left = _LARGEST_FILE
    for name in names:
        if not name or name.startswith("-"):
            return False
        try:
            found = os.stat(shell.state.path(name))
        except (OSError, ValueError):
            return False
        left -= found.st_size
        if found.st_mode & 0o170000 != 0o100000 or found.st_size == 0 or left < 0:
            return False
    return bool(names) and not command.assignments
