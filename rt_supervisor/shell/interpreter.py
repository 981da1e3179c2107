"""Executes a tree (POSIX 2.8 to 2.12): lists, pipelines, compound commands, functions, simple commands.

An `Interpreter` is one shell environment; a subshell is another one with a copy of the state, in the same process.
Stages of a pipeline that are not programs run in threads on real pipes. Each command gets a table of descriptors
(`redirections`). Other modules execute compound commands (`compounds`), functions and builtins (`own_commands`),
programs (`programs`) and `$( )` (`substitution`). `session` manages the state of the process as a whole: signals and
its end.
"""

from __future__ import annotations

import os

from . import builtins, own_commands, programs, trapped
from .expansion import Expander
from .problems import BrokenOutput, Discard, Exit, LoopJump, Return, ShellProblem
from .redirections import redirect
from .state import encoded
from .token_reader import DECLARATIONS, as_assignment
from .tree import (
    AndOr,
    ArithmeticCommand,
    Case,
    Condition,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Pipeline,
    Sequence,
    Simple,
    Subshell,
    While,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .arrays import Array
    from .builtins import Output
    from .process_substitution import Connection
    from .session import Session
    from .state import State
    from .tree import Assignment, Command, ProcessSubstitution, Redirection

    Io = dict[int, int]

DEEPEST_TEXTS = 500
BROKEN_PIPE_STATUS = 141
COMMAND_STRING_STATUS = 127  # of a shell with -c after a failed expansion, as in bash
_DO_NOT_STOP = (AndOr, Sequence, Group, If, While, For, ForArithmetic, Case, Function)


class Interpreter:
    """One shell environment. Methods return statuses; `exit`, `return`, `break` and `continue` raise a `Jump`."""

    def __init__(self, state: State, session: Session, *, is_main: bool = False, checked: int = 0) -> None:
        self.state = state
        self.session = session
        self.is_main = is_main
        self.expander = Expander(state, self._substitute, self._connect)
        self.connections: list[Connection] = []  # process substitutions of the commands that are running
        self.connected_before = 0  # how many of them belong to outer commands
        self.unfinished: list[Connection] = []  # those that `exec` made permanent
        self._checked = checked  # > 0: within a condition, so `set -e` does not end the shell
        self.io: Io = {}
        self.kept_output: Output | None = None  # where builtins print, if not to a descriptor

    def _substitute(self, body: Sequence) -> str:
        from .substitution import substitute

        return substitute(self, body)

    def _connect(self, part: ProcessSubstitution) -> str:
        from .process_substitution import connect

        return connect(self, part)

    def _disconnect(self, before: int, io: Io) -> None:
        """End the process substitutions after the first `before`."""
        from .process_substitution import disconnect

        ended, self.connections[before:] = self.connections[before:], []
        disconnect(ended, io)

    # --- lists

    def run(self, command: Command, io: Io) -> int:
        """Execute any command and return its status."""
        status = _RUNNERS[type(command)](self, command, io)
        self.state.status = status
        if type(command) is Simple:
            self.state.pipe_statuses = []
        if status != 0 and not self._checked and _may_stop(command):
            if "ERR" in self.state.traps:
                trapped.run_error_trap(self, status, io)
            if "errexit" in self.state.options:
                raise Exit(status)
        return status

    def run_sequence(self, sequence: Sequence, io: Io) -> int:
        status = 0
        for item in sequence.items:
            if self.session.pending and self.is_main:
                self.session.run_traps(self, io)
            status = self.run(item, io)
        return status

    def run_and_or(self, command: AndOr, io: Io) -> int:
        self._checked += 1
        try:
            status = self.run(command.first, io)
            for operator, following in command.rest[:-1]:
                if (status == 0) == (operator == "&&"):
                    status = self.run(following, io)
        finally:
            self._checked -= 1
        operator, last = command.rest[-1]
        return self.run(last, io) if (status == 0) == (operator == "&&") else status

    def run_checked(self, command: Command, io: Io) -> int:
        """Return the status of a condition, which `set -e` ignores."""
        self._checked += 1
        try:
            return self.run(command, io)
        finally:
            self._checked -= 1

    # --- pipelines (POSIX 2.9.2)

    def run_pipeline(self, command: Pipeline, io: Io) -> int:
        if command.negated:
            self._checked += 1
        try:
            status = self.run(command.stages[0], io) if len(command.stages) == 1 else self._run_stages(command, io)
        finally:
            if command.negated:
                self._checked -= 1
        return int(status == 0) if command.negated else status

    def _run_stages(self, command: Pipeline, io: Io) -> int:
        from .stages import Stage

        stages = [Stage(self, stage, io) for stage in command.stages]
        source: int | None = None
        for place, stage in enumerate(stages):
            is_last = place == len(stages) - 1
            table = io.copy()
            own: list[int] = []
            if source is not None:
                table[0] = source
                own.append(source)
            if not is_last:
                source, sink = os.pipe()
                own.append(sink)
                table[1] = sink
                if command.joins_errors[place]:
                    table[2] = sink
            stage.start(table, own, here=is_last)
        statuses = self.state.pipe_statuses = [stage.wait() for stage in stages]
        if "pipefail" in self.state.options:
            return next((status for status in reversed(statuses) if status), 0)
        return statuses[-1]

    # --- subshells (POSIX 2.12)

    def subshell(self) -> Interpreter:
        return Interpreter(self.state.copy(), self.session, checked=self._checked)

    def run_subshell(self, command: Subshell, io: Io) -> int:
        return self.run_redirected(command.redirections, io, lambda table: self.run_in_subshell(command.body, table))

    def run_in_subshell(self, body: Sequence, io: Io) -> int:
        """Run `body` as a subshell, and restore the process's umask and limits afterwards."""
        session = self.session
        mask, limits, session.limits_before = session.mask, session.limits_before, {}
        try:
            return self.subshell().run_whole(body, io)
        finally:
            session.set_mask(mask)
            if session.limits_before:
                session.restore_limits()
            session.limits_before = limits

    def run_whole(self, command: Command, io: Io) -> int:
        """Run the whole command of this environment with its EXIT trap, and return its status."""
        given, io = io, io.copy()
        try:
            status = self.run(command, io)
        except Exit as jump:
            status = jump.status
        except Discard as jump:
            status = jump.status
        except (LoopJump, Return):
            status = self.state.status
        except BrokenOutput:
            return BROKEN_PIPE_STATUS
        status = trapped.run_exit_trap(self, status, io)
        if self.unfinished:
            self.finish(io, given)
        return status

    def finish(self, io: Io, given: Io) -> None:
        """Close what `exec` has opened since the table was `given`, and wait for the commands that read it."""
        from .process_substitution import finish

        finish(self.unfinished, io, given)

    def run_text(self, text: str, io: Io, *, first_line: int = 1) -> int:
        """Parse `text` and run it here (`eval`, traps, sourced files); `first_line` is the number of its first line."""
        from . import aliases
        from .parser import parse
        from .tree import SyntaxProblem

        try:
            tree = parse(text, aliases=aliases.current(self.state), first_line=first_line)
        except SyntaxProblem as problem:
            raise ShellProblem(f"syntax error: {problem.message}", status=2) from problem
        if self.state.text_depth >= DEEPEST_TEXTS:
            raise ShellProblem(f"commands in commands are nested too deep ({DEEPEST_TEXTS})", fatal=True)
        self.state.text_depth += 1
        try:
            if not aliases.may_change(text, self.state):
                return self.run(tree, io)
            status = 0
            for line in aliases.lines(text, self.state, first_line):
                status = self.run(line, io)
            return status
        except SyntaxProblem as problem:
            raise ShellProblem(f"syntax error: {problem.message}", status=2) from problem
        finally:
            self.state.text_depth -= 1

    # --- redirections and problems

    def run_redirected(self, redirections: tuple[Redirection, ...], io: Io, body: Callable[[Io], int]) -> int:
        """Return the status of `body` with `redirections`, or of the error that prevents it."""
        opened: list[int] = []
        before = self.connected_before = len(self.connections)
        given = io
        try:
            if redirections:
                self.io = io
                io, opened = redirect(redirections, io, self.state, self.expander)
            return body(io)
        except ShellProblem as problem:
            return self.report(problem, io)
        finally:
            for descriptor in opened:
                os.close(descriptor)
            if len(self.connections) > before:
                self._disconnect(before, given)

    def report(self, problem: ShellProblem, io: Mapping[int, int]) -> int:
        """Print an error and return its status; ends the shell in the cases of POSIX 2.8.1."""
        self.complain(problem.message, io)
        if problem.fatal and not self.session.is_interactive:
            is_command_string = self.is_main and self.session.is_command_string
            raise Exit(COMMAND_STRING_STATUS if is_command_string else problem.status)
        if problem.discards:
            raise Discard(problem.status)
        return problem.status

    def complain(self, message: str, io: Mapping[int, int]) -> None:
        try:
            os.write(io.get(2, -1), encoded(f"rt: {message}\n"))
        except OSError:
            return

    # --- simple commands (POSIX 2.9.1)

    def run_simple(self, command: Simple, io: Io) -> int:
        self.io = io
        self.state.line = command.line
        self.state.substitution_status = 0
        before = self.connected_before = len(self.connections)
        try:
            words = self._words(command)
            if not words:
                return self._without_words(command, io)
            return self._call(command, words, io)
        except ShellProblem as problem:
            return self.report(problem, io)
        finally:
            if len(self.connections) > before:
                self._disconnect(before, io)

    def _words(self, command: Simple) -> list[str]:
        """Return the fields of the words; assignments as arguments of a declaration command are not split (bash, POSIX
        2.9.1)."""
        words = command.words
        if not words or words[0].literal not in DECLARATIONS:
            return self.expander.words(words)
        fields: list[str] = []
        for word in words:
            assignment = as_assignment(word) if word.literal is None else None
            if assignment is None or assignment.subscript is not None:
                fields += self.expander.fields(word)
                continue
            operator = "+=" if assignment.appends else "="
            for value in self.expander.alternatives(assignment.value) if word.has_braces else [assignment.value]:
                fields.append(f"{assignment.name}{operator}{self.expander.assignment_value(value)}")
        return fields

    def _without_words(self, command: Simple, io: Io) -> int:
        """Perform assignments and redirections without a command; the status is that of the last command substitution
        in them."""
        try:
            for assignment in command.assignments:
                self.assign(assignment)
        except ShellProblem as problem:
            problem.discards = True
            raise
        status = self.state.substitution_status
        if "xtrace" in self.state.options:
            for assignment in command.assignments:
                self.trace([f"{assignment.name}={self.state.variables.get(assignment.name)}"], io)
        if command.redirections:
            _, opened = redirect(command.redirections, io, self.state, self.expander)
            for descriptor in opened:
                os.close(descriptor)
        return status

    def assign(self, assignment: Assignment) -> None:
        if assignment.elements is not None or assignment.subscript is not None:
            from . import arrays

            arrays.assign(assignment, self.expander)
            return
        value = self.expander.assignment_value(assignment.value)
        if assignment.appends:
            value = (self.state.variables.get(assignment.name) or "") + value
        self.state.variables.set(assignment.name, value)

    def _call(self, command: Simple, words: list[str], io: Io) -> int:
        state = self.state
        if "xtrace" in state.options:
            self.trace(words, io)
        opened: list[int] = []
        table = io
        name = words[0]
        function = state.functions.get(name)
        builtin = None if function is not None else builtins.find(name)
        if command.redirections:
            table, opened = redirect(command.redirections, io, state, self.expander, name)
        try:
            if builtin is not None and name == "exec":
                return programs.exec_command(self, command, words, io, table, opened)
            if function is None and builtin is None:
                return programs.run_program(self, command, words, table)
            saved = self._assign_for_now(command.assignments) if command.assignments else ()
            try:
                if function is not None:
                    return own_commands.run_function(self, function, words, table)
                assert builtin is not None
                if not command.arrays:
                    return own_commands.run_builtin(self, builtin, words, table)
                return self._declare_arrays(command, builtin, words, table)
            finally:
                for each, value, exported in saved:
                    state.variables.restore(each, value, exported=exported)
        finally:
            state.last_argument = words[-1]
            for descriptor in opened:
                os.close(descriptor)

    def _declare_arrays(self, command: Simple, builtin: builtins.Builtin, words: list[str], io: Io) -> int:
        """Run a declaration command with arguments that assign arrays: `readonly` after the assignments, others
        before."""
        is_last = words[0] == "readonly"
        status = 0 if is_last else own_commands.run_builtin(self, builtin, words, io)
        if status == 0:
            for assignment in command.arrays:
                self.assign(assignment)
        return own_commands.run_builtin(self, builtin, words, io) if is_last else status

    def trace(self, words: list[str], io: Io) -> None:
        from .builtins.printing import quote_for_shell

        self.write_error(io, "+ " + " ".join(map(quote_for_shell, words)) + "\n")

    def write_error(self, io: Mapping[int, int], text: str) -> None:
        try:
            os.write(io.get(2, -1), encoded(text))
        except OSError:
            return

    def _assign_for_now(self, assignments: tuple[Assignment, ...]) -> list[tuple[str, str | Array | None, bool]]:
        """Perform the assignments before a command and return the values that they hide."""
        variables = self.state.variables
        saved = [(each.name, variables.value(each.name), variables.is_exported(each.name)) for each in assignments]
        for assignment in assignments:
            self.assign(assignment)
            variables.export(assignment.name)
        return saved[::-1]

    def run_builtin_named(self, words: list[str], io: Io) -> int:
        """Run `words` without looking for functions (`command`, `builtin`, `xargs`, `env`)."""
        builtin = builtins.find(words[0])
        if builtin is not None:
            return own_commands.run_builtin(self, builtin, words, io)
        return programs.start_and_wait(self, words, io, {})


def _may_stop(command: Command) -> bool:
    """Return whether `set -e` ends the shell if this command fails; in a compound command, an inner one has already
    done so."""
    return not isinstance(command, _DO_NOT_STOP) and not (isinstance(command, Pipeline) and command.negated)


def _run_compound(shell: Interpreter, command: Any, io: Io) -> int:
    """Import `compounds`, for this command and all later ones, so that a text without compound commands does not pay
    for it."""
    from .compounds import RUNNERS

    _RUNNERS.update(RUNNERS)
    return _RUNNERS[type(command)](shell, command, io)


_RUNNERS: dict[type, Callable[[Interpreter, Any, Io], int]] = {
    Simple: Interpreter.run_simple,
    Pipeline: Interpreter.run_pipeline,
    AndOr: Interpreter.run_and_or,
    Sequence: Interpreter.run_sequence,
    Subshell: Interpreter.run_subshell,
    **dict.fromkeys(
        (Group, If, While, For, ForArithmetic, Case, Function, Condition, ArithmeticCommand), _run_compound
    ),
}
