"""Scripts without settings as tasks, for `--cache`: each waits for the same script of the packages that its package depends on, as with
`--filter`, and its inputs and outputs are traced.

Without any settings in the workspace, scripts get the whole environment, and all of it counts except what differs between terminals.
"""

from __future__ import annotations

from ..vocabulary.record import replace
from .definitions import Globals, Layer, TaskTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .sources import TaskWorkspace

ORIGIN = "--cache"
# Variables of a terminal, a login or one process.
_OF_SESSION = (
    "_", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "TERM", "TERM_*", "COLORTERM", "WINDOWID", "DISPLAY", "WAYLAND_DISPLAY",
    "SSH_*", "XDG_SESSION_*", "XDG_RUNTIME_DIR", "XDG_VTNR", "XDG_SEAT", "DBUS_*", "TMUX", "TMUX_*", "STY", "GPG_*", "INVOCATION_ID",
    "JOURNAL_STREAM", "TRACEPARENT", "TRACESTATE", "VSCODE_*", "WT_SESSION", "npm_*",
)  # fmt: skip


def with_scripts(tasks: TaskWorkspace, names: Sequence[str]) -> TaskWorkspace:
    """Return `tasks` with a task for each of `names` that no settings define; a name may be `package#script`."""
    table = tasks.table
    if table is None:
        variables = ("*", *(f"!{name}" for name in _OF_SESSION))
        table = TaskTable(ORIGIN, "", (), Globals(env=variables, env_mode="loose"))
    defined = table.names()
    layers = [
        Layer(name, None, {"dependsOn": (f"^{name}",)}, {}, ORIGIN)
        for name in dict.fromkeys(name.rpartition("#")[2] for name in names)
        if name not in defined
    ]
    changed: TaskWorkspace = replace(tasks, table=replace(table, layers=(*layers, *table.layers)))
    return changed


def are_plain(tasks: TaskWorkspace, names: Sequence[str]) -> bool:
    """Return whether no settings define any of `names`."""
    return tasks.table is None or set(tasks.table.names()).isdisjoint(names)
