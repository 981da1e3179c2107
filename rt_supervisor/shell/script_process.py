"""A script's shell as a process of its own: `python -I -S script_process.py NAME TEXT ARGUMENTS…`.

What the launcher starts where the answer that it kept says so (`cli.own_shell_run`): nothing of rt is imported but the shell.
"""

from __future__ import annotations

import _signal
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_GARBAGE_THRESHOLD = 20_000
_INHERITED = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM)


def main() -> NoReturn:
    ignored = sum(1 << number for number in _INHERITED if _signal.getsignal(number) == _signal.SIG_IGN)
    if not ignored & 1 << _signal.SIGINT:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # a Ctrl-C while starting ends the script, without a traceback
    gc.set_threshold(_GARBAGE_THRESHOLD)
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    from rt_supervisor import _native
    from rt_supervisor.shell.running import become_shell
    from rt_supervisor.shell.state import encoded
    from rt_supervisor.vocabulary.coerced_locale import forget_coerced_locale

    name, text, *arguments = sys.argv[1:]
    forget_coerced_locale()
    _native.show_command_line([encoded(word) for word in ("rt", "shell", "-c", text, *arguments)])
    become_shell(text, environment=os.environ, ignored=ignored, title=name, arguments=arguments)


if __name__ == "__main__":
    main()
