"""How running shell language can go wrong or elsewhere: problems with a message, and the jumps of `exit` and its like."""

from __future__ import annotations


class ShellProblem(Exception):
    """What a user's line asked for cannot be done; `rt: message` on stderr, and the command has `status`.

    A `fatal` one ends the shell, as POSIX 2.8.1 wants of expansions; one that `discards` ends the line, as bash has it.
    """

    def __init__(self, message: str, *, status: int = 1, fatal: bool = False, discards: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.fatal = fatal
        self.discards = discards


class Jump(Exception):
    """Control leaves the commands that are being run."""


class Exit(Jump):
    """The shell, or the subshell, ends with `status`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Discard(Jump):
    """What is left of the line is not run."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Return(Jump):
    """The function, or the sourced file, ends with `status`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class LoopJump(Jump):
    """`break` or `continue` of `levels` loops."""

    def __init__(self, levels: int, *, continues: bool) -> None:
        super().__init__(levels)
        self.levels = levels
        self.continues = continues


class BrokenOutput(Jump):
    """A builtin wrote to a pipe without a reader. A process would have died of SIGPIPE."""
