"""The state of the shell's process as a whole: signals, traps of signals, becoming a program, ending.

A Ctrl-C while a program runs is left to the program: the shell only ends if the program is terminated by it, as in bash
(the program may handle it). Otherwise it ends the shell immediately, after its EXIT trap.

Handlers run in the main thread; other threads only record that programs have ended.
"""

from __future__ import annotations

import _signal
import _thread
import os

from .problems import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

    from .interpreter import Interpreter
    from .tree import Command

SIGINT = int(_signal.SIGINT)
_ENDING = (int(_signal.SIGTERM), int(_signal.SIGHUP))
_NAMES = ("HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "FPE", "USR1", "USR2", "SEGV", "PIPE", "ALRM", "TERM", "CHLD", "CONT", "TSTP", "TTIN", "TTOU", "WINCH")  # fmt: skip
SIGNALS = {name: int(getattr(_signal, f"SIG{name}")) for name in _NAMES}
_STATUS_OF_UNSEEN = 128


class Ended(BaseException):
    """A signal ends the shell."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Session:
    """One process of the shell."""

    def __init__(self, *, ignored: int = 0, is_interactive: bool = False, is_command_string: bool = True) -> None:
        """`ignored` is a mask of the signals that are ignored here and in programs (bit n = signal n)."""
        self.ignored = ignored
        self.is_interactive = is_interactive
        self.is_command_string = is_command_string
        self.pending: list[int] = []  # signals whose traps are due
        self.last_command: Command | None = None  # nothing is left to do after it
        self.mask = os.umask(0)
        os.umask(self.mask)
        self.limits_before: dict[int, tuple[int, int]] = {}  # of resources that this subshell has changed
        self._programs: list[None] = []
        self._interrupted = False
        self._main_thread = _thread.get_ident()
        self._trapped: dict[int, str] = {}
        self._has_exit_trap = False

    def begin(self) -> None:
        """Start handling the process's signals."""
        if not self.ignored & (1 << SIGINT):
            _signal.signal(_signal.SIGINT, self._on_signal)
        _signal.signal(_signal.SIGPIPE, _signal.SIG_IGN)  # a builtin gets an error instead

    def set_mask(self, mask: int) -> None:
        """Set the umask, which is restored at the end of a subshell."""
        if mask != self.mask:
            self.mask = mask
            os.umask(mask)

    def set_limit(self, resource: int, pair: tuple[int, int]) -> None:
        """Set the soft and the hard limit of `resource`. Raises ValueError and OSError."""
        from resource import getrlimit, setrlimit

        before = getrlimit(resource)
        setrlimit(resource, pair)
        self.limits_before.setdefault(resource, before)

    def restore_limits(self) -> None:
        """Undo `set_limit` calls of a subshell."""
        from resource import setrlimit

        for resource, (soft, hard) in self.limits_before.items():
            try:
                setrlimit(resource, (soft, hard))
            except (ValueError, OSError):
                return  # `ulimit -H` in a subshell, which only a privileged process can undo

    # --- programs

    def program_starts(self) -> None:
        self._programs.append(None)

    def program_ended(self, status: int) -> None:
        """Record how a program ended; raises Ended if that ends the shell."""
        if self._programs:
            self._programs.pop()
        if not self._interrupted:
            return
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == SIGINT:
            if _thread.get_ident() != self._main_thread:
                raise Exit(128 + SIGINT)
            self._interrupted = False
            raise Ended(SIGINT)
        if not self._programs:
            self._interrupted = False

    def may_become_program(self, interpreter: Interpreter) -> bool:
        """Return whether the shell has nothing left to do after its last command."""
        if not interpreter.is_main or self.is_interactive or interpreter.state.traps:
            return False
        return interpreter.state.function_depth == 0 and interpreter.state.loop_depth == 0 and not self.pending

    def before_replacing(self) -> None:
        if not self.ignored & (1 << SIGINT):
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

    # --- traps

    def set_trap(self, number: int, text: str | None) -> None:
        """Make signal `number` run `text`, be ignored (""), or have its default action (None)."""
        if self.ignored & (1 << number) and number not in self._trapped:
            return  # POSIX 2.14 trap: signals ignored on entry stay ignored
        if text is None:
            self._trapped.pop(number, None)
            self.ignored &= ~(1 << number)
        else:
            self._trapped[number] = text
            self.ignored = self.ignored | (1 << number) if text == "" else self.ignored & ~(1 << number)
        self._install(number)

    def set_exit_trap(self, is_set: bool) -> None:
        """Record whether there is an EXIT trap, which also runs when a signal ends the shell."""
        self._has_exit_trap = is_set
        for number in _ENDING:
            self._install(number)

    def _install(self, number: int) -> None:
        if _thread.get_ident() != self._main_thread:
            return
        text = self._trapped.get(number)
        if text == "" or (text is None and self.ignored & (1 << number)):
            _signal.signal(number, _signal.SIG_IGN)
        elif text is not None or number == SIGINT or (number in _ENDING and self._has_exit_trap):
            _signal.signal(number, self._on_signal)
        else:
            _signal.signal(number, _signal.SIG_IGN if number == SIGNALS["PIPE"] else _signal.SIG_DFL)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._trapped.get(number):
            self.pending.append(number)
        elif number == SIGINT and self._programs:
            self._interrupted = True
        else:
            raise Ended(number)

    def run_traps(self, interpreter: Interpreter, io: dict[int, int]) -> None:
        """Run the traps of pending signals."""
        while self.pending:
            text = self._trapped.get(self.pending.pop(0))
            if text:
                status = interpreter.state.status
                interpreter.run_text(text, io)
                interpreter.state.status = status


def die_of(number: int) -> NoReturn:
    """Terminate this process by signal `number`, so that its parent sees the reason."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    _signal.signal(number, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [number])
    os.kill(os.getpid(), number)
    os._exit(_STATUS_OF_UNSEEN + number)
