"""Which program runs the text of a script on this system: the first of bash, sh and zsh on PATH (specification 4.1 rule 2)."""

from __future__ import annotations

from .environment import DEFAULT_PATH, find_executable
from .errors import Failed

SHELLS = ("bash", "sh", "zsh")


def system_shell(path: str | None) -> str:
    """Return the absolute path of the system shell, looked for in `path`. Raises `Failed` when there is none."""
    for name in SHELLS:
        found = find_executable(name, path or DEFAULT_PATH)
        if found:
            return found
    raise Failed("no-shell", f"no shell to run scripts with: none of {', '.join(SHELLS)} is on PATH")


def chosen_shell(wanted: str | None, path: str | None) -> str:
    """Return the absolute path of the shell that `--shell` asks for (None: the default). Raises `Failed`."""
    if wanted == "rt":
        raise Failed(
            "no-built-in-shell", "the built-in shell is not available in this version of rt; use --shell=system"
        )
    return system_shell(path)
