"""The stages of a pipeline (POSIX 2.9.2): programs are started directly, everything else runs in a thread.

Each stage is a subshell, so that its changes of variables and folder stay local. `interpreter` connects the stages and
waits.
"""

from __future__ import annotations

import _thread
import os

from . import builtins, programs
from .brief import NotBrief, is_brief, run_brief
from .problems import Exit, ShellProblem
from .redirections import redirect
from .tree import HereDocument, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from .interpreter import Interpreter
    from .tree import Command

    Io = dict[int, int]
    State: TypeAlias = Literal["new", "program", "thread", "over"]

PIPE_BUF = 4096
BROKEN_PIPE_STATUS = 141


class Stage:
    """One stage of a pipeline.

    new --start--> program | thread --wait--> over
       `--start: done at once, or refused--> over

    A simple command that is a program is started directly. Other stages have a thread, except the last one, which uses
    the caller's, and a brief one, which ends before the next stage begins.
    """

    def __init__(self, parent: Interpreter, command: Command, io: Io) -> None:
        self._parent = parent
        self._interpreter = parent.subshell()
        self._command = command
        self._state: State = "new"
        self._pid: int  # for a program
        self._done: Any  # for a thread: a lock, held until it has ended
        self._status = 0

    def start(self, table: Io, own: list[int], *, here: bool) -> None:
        command = self._command
        if isinstance(command, Simple) and self._is_program(command):
            try:
                pid = self._start_program(command, table)
            finally:
                _close(own)
            if pid is None:
                self._state = "over"
            else:
                self._state, self._pid = "program", pid
            return
        if here:
            try:
                self._status = self._interpreter.run_whole(command, table)
            finally:
                _close(own)
            self._state = "over"
            return
        work: Callable[[Io], int] | None = None
        if table[1] != table.get(2) and is_brief(command, self._interpreter):
            try:
                work = self._run_at_once(table)
            except BaseException:
                _close(own)
                raise
            if work is None:
                _close(own)
                self._state = "over"
                return
        self._state, self._done = "thread", _thread.allocate_lock()
        self._done.acquire()
        try:
            _thread.start_new_thread(self._run, (work or self._run_command, table, own))
        except RuntimeError:
            self._interpreter.complain("cannot start another thread", table)
            self._status = 1
            _close(own)
            self._done.release()

    def wait(self) -> int:
        if self._state == "program":
            self._status = programs.finish(self._interpreter, self._pid)
        elif self._state == "thread":
            self._done.acquire()
        self._state = "over"
        return self._status

    def _is_program(self, command: Simple) -> bool:
        """Return whether the command is certainly a program: its name needs no expansion, and its other words contain
        no `$( )`."""
        name = command.words[0].literal if command.words else None
        if name is None or name in self._interpreter.state.functions or builtins.find(name) is not None:
            return False
        words = (*command.words, *(assignment.value for assignment in command.assignments))
        targets = [redirection.target for redirection in command.redirections]
        if any(isinstance(target, HereDocument) for target in targets):
            return False
        return not any(word.has_substitution for word in words) and not any(
            target.has_substitution for target in targets if not isinstance(target, HereDocument)
        )

    def _start_program(self, command: Simple, table: Io) -> int | None:
        interpreter = self._interpreter
        opened: list[int] = []
        try:
            interpreter.io = table
            words = interpreter.expander.words(command.words)
            extra: dict[str, str] = {}
            for assignment in command.assignments:
                interpreter.assign(assignment)
                extra[assignment.name] = interpreter.state.variables.get(assignment.name) or ""
            if "xtrace" in interpreter.state.options:
                interpreter.trace(words, table)
            if command.redirections:
                state, expander = interpreter.state, interpreter.expander
                table, opened = redirect(command.redirections, table, state, expander, words[0])
            return programs.start(interpreter, words, table, extra)
        except ShellProblem as problem:
            try:
                self._status = interpreter.report(problem, table)
            except Exit as jump:
                self._status = jump.status
            return None
        finally:
            _close(opened)

    def _run_at_once(self, table: Io) -> Callable[[Io], int] | None:
        """Run a brief command; return None, or the remaining work if it was not brief."""
        try:
            self._status, printed = run_brief(self._command, self._interpreter, table)
        except NotBrief:
            self._interpreter = self._parent.subshell()
            return self._run_command
        if len(printed) <= PIPE_BUF:  # any pipe can hold this much
            if printed:
                os.write(table[1], printed)
            return None
        return lambda table: self._print(printed, table)

    def _print(self, printed: bytes, table: Io) -> int:
        rest = memoryview(printed)
        while rest:
            try:
                rest = rest[os.write(table[1], rest) :]
            except OSError:
                return BROKEN_PIPE_STATUS
        return self._status

    def _run_command(self, table: Io) -> int:
        return self._interpreter.run_whole(self._command, table)

    def _run(self, work: Callable[[Io], int], table: Io, own: list[int]) -> None:
        try:
            self._status = work(table)
        except BaseException as error:  # a bug in rt, which must not leave the pipeline waiting
            self._interpreter.complain(f"rt has failed, which is a bug in rt: {type(error).__name__}: {error}", table)
            self._status = 70
            if os.environ.get("RT_DEBUG_TRACEBACK"):
                import traceback

                traceback.print_exc()
        finally:
            _close(own)
            self._done.release()


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
