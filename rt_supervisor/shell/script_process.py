"""The shell of a script as a separate process: `python -I -S script_process.py NAME TEXT ARGUMENTS…`, or a bundle in
its place.

The launcher starts it for cached starts (`cli.run.own_shell_run`). It imports only the shell, and the native module
when the first program is started.
"""

from __future__ import annotations

import _signal
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

_GARBAGE_THRESHOLD = 20_000
_INHERITED = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM)
_ARGUMENTS_START = 48 - 3  # proc(5), counted after the name in parentheses
_ARGUMENTS_END = 49 - 3


def main() -> NoReturn:
    ignored = sum(1 << number for number in _INHERITED if _signal.getsignal(number) == _signal.SIG_IGN)
    if not ignored & 1 << _signal.SIGINT:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # a Ctrl-C while starting ends the script, without a traceback
    gc.set_threshold(_GARBAGE_THRESHOLD)
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    from rt_supervisor.shell.running import become_shell
    from rt_supervisor.shell.state import encoded
    from rt_supervisor.vocabulary.coerced_locale import forget_coerced_locale

    name, text, *arguments = sys.argv[1:]
    forget_coerced_locale()
    _show_command_line(encoded(word) for word in ("rt", "shell", "-c", text, *arguments))
    become_shell(text, environment=os.environ, ignored=ignored, title=name, arguments=arguments)


def _show_command_line(words: Iterable[bytes]) -> None:
    """Make process lists show `words`, cut to the available room, like `_native.show_command_line` but without
    importing it."""
    try:
        with open("/proc/self/stat", "rb", buffering=0) as stat:
            fields = stat.read().rpartition(b")")[2].split()
        start, end = int(fields[_ARGUMENTS_START]), int(fields[_ARGUMENTS_END])
        if not 0 < start < end:
            return
        shown = b"\0".join(words)[: end - start - 1].ljust(end - start, b"\0")
        memory = os.open("/proc/self/mem", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.pwrite(memory, shown, start)
        finally:
            os.close(memory)
    except (OSError, ValueError, IndexError, OverflowError):
        return  # unreadable, or the system does not permit the write


if __name__ == "__main__":
    main()
