"""The table of builtins, and the module of each.

A builtin is `def name(call: Call) -> int`; its module is imported at its first use. It writes bytes to `call.out`,
which is flushed when it returns, and reads descriptor `call.stdin`. For options that it does not support, it raises
`NotCovered` before it does anything, so that the system's command of the same name runs instead, if there is one.
"""

from __future__ import annotations

from ..problems import Exit, ShellProblem
from .calls import Call, NotCovered, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Builtin = Callable[[Call], int]

__all__ = ["Builtin", "Call", "Exit", "NotCovered", "Output", "ShellProblem", "find", "names"]

# module: the commands in it, "name" or "name=function"
_MODULES = {
    "control": "exit=exit_shell return=return_from break=break_loop continue=continue_loop :=true_ true=true_ false=false_"
    " eval=eval_ .=source source exec=exec_ shift",
    "variables": "export unset readonly local set=set_options declare=local typeset=local let getopts shopt",
    "traps": "trap umask wait jobs",
    "folders": "cd pwd pushd popd dirs",
    "printing": "echo printf yes",
    "reading": "read mapfile readarray=mapfile",
    "limits": "ulimit times",
    "aliases": "alias unalias",
    "lookup": "which type=type_of command builtin hash=hash_",
    "testing": "test [=bracket",
    "paths": "basename dirname realpath",
    "listing": "ls",
    "making": "mkdir touch ln rmdir",
    "removing": "rm",
    "copying": "cp mv",
    "showing": "cat",
    "streams": "tee wc head tail",
    "sorting": "sort uniq",
    "characters": "tr cut rev",
    "numbers": "seq sleep",
    "searching": "grep egrep fgrep",
    "finding": "find=find_files",
    "running": "env xargs",
    "dates": "date",
}
_PLACES: dict[str, tuple[str, str]] = {}
for _module, _entries in _MODULES.items():
    for _entry in _entries.split(" "):
        _name, _, _function = _entry.partition("=")
        _PLACES[_name] = (_module, _function or _name)
_found: dict[str, Builtin] = {}


def find(name: str) -> Builtin | None:
    """Return the builtin `name`; None if there is none."""
    builtin = _found.get(name)
    if builtin is None:
        place = _PLACES.get(name)
        if place is None:
            return None
        module, function = place
        builtin = _found[name] = getattr(__import__(f"{__name__}.{module}", fromlist=[function]), function)
    return builtin


def names() -> list[str]:
    return sorted(_PLACES)
