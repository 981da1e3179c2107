"""Errors of running commands, which have a message, and the jumps of `exit`, `return`, `break` and `continue`."""

from __future__ import annotations


class ShellProblem(Exception):
    """A command cannot be executed: `rt: message` is printed to stderr, and the command has `status`.

    A `fatal` one ends the shell, as POSIX 2.8.1 requires for expansions; one that `discards` ends the line, as in bash.
    """

    def __init__(self, message: str, *, status: int = 1, fatal: bool = False, discards: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.fatal = fatal
        self.discards = discards


class Jump(Exception):
    """Control leaves the running commands."""


class Exit(Jump):
    """The shell, or the subshell, ends with `status`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Discard(Jump):
    """The rest of the line is not run."""

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
    """A builtin wrote to a pipe without a reader. A process would have been terminated by SIGPIPE."""
