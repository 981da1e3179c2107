"""The shell that runs the text of a script: rt's own, or the system's, which is the first of bash, sh and zsh on PATH.

The system's shell is the default (specification 4.1 rule 2); rt's own is the default on systems without one (Windows).
"""

from __future__ import annotations

import sys

from ..vocabulary.errors import Failed
from .environment import DEFAULT_PATH, find_executable

SHELLS = ("bash", "sh", "zsh")
RT = "rt"


def system_shell(path: str | None) -> str:
    """Return the absolute path of the system shell in the folders of `path`. Raises `Failed` if there is none."""
    for name in SHELLS:
        found = find_executable(name, path or DEFAULT_PATH)
        if found:
            return found
    raise Failed("no-shell", f"no shell to run scripts with: none of {', '.join(SHELLS)} is on PATH")


def is_rt(wanted: str | None) -> bool:
    """Return whether scripts run in rt's own shell, given the value of `--shell` or `rtfig.toml` (None if unset)."""
    return wanted == RT or (wanted is None and sys.platform == "win32")


def shell_command(wanted: str | None, path: str | None, executable: str) -> tuple[str, ...]:
    """Return the words of the shell's command line before the text. `executable` is rt itself. Raises `Failed`."""
    return (executable, "shell", "-c") if is_rt(wanted) else (system_shell(path), "-c")
