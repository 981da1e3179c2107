"""Lets other processes see and steer this run: its entry in the folder of runs, and the server behind it.

Only runs that may take long have one: those with --watch, --detach or the screen. Any other run imports nothing of this.
"""

from __future__ import annotations

import os
import sys
import time

from ... import __version__
from ...control.runs import make_run
from ...control.server import ControlServer
from ...vocabulary.errors import Failed
from ...workspace.finding import find_root
from . import detaching

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...control.runs import OwnRun
    from ...plan.model import RunPlan
    from ..request import Request

_own: OwnRun | None = None  # this process has one entry, also if a change makes several plans run one after the other


def open_control(request: Request, plan: RunPlan, *, has_terminals: bool) -> ControlServer | None:
    """Return the server of a run of `plan`; None if there is no safe folder for it, with a warning if the run has a screen, which
    needs it. `has_terminals` says whether each task has a terminal.
    """
    global _own
    if _own is None:
        try:
            _own = make_run()
        except Failed as failed:
            if has_terminals:
                from ..streams import warn

                warn(f"this run cannot have a screen: {failed.failure.message}")
            return None
    if not _own.about:
        _own.publish({**_about(request, plan), "terminals": has_terminals})
    return ControlServer(
        plan,
        _own.listener,
        about=_own.about,
        version=__version__,
        on_start=detaching.report_start if detaching.is_detached() else None,
        on_tick=_own.bound_output if detaching.is_detached() else None,
    )


def detach() -> None:
    """Continue in a process in the background, unless this is it already; the process of the caller reports it and exits.

    Has to be called once it is certain what runs, and before the guardian starts. Raises Failed.
    """
    global _own
    if not detaching.is_detached():
        _own = make_run()
        detaching.detach(_own)


def own_folder() -> str:
    """Return the folder of this process's entry, which has to exist."""
    assert _own is not None
    return _own.folder


def close_control() -> None:
    """Remove the entry of this process, if it has one."""
    global _own
    if _own is not None:
        _own.close()
        _own = None


def _about(request: Request, plan: RunPlan) -> dict[str, object]:
    invocation = request.invocation
    return {
        "pid": os.getpid(),
        "names": list(invocation.names),
        "command": ["rt", *sys.argv[1:]],
        "folder": request.folder,
        "startedAt": round(time.time(), 3),
        "mode": plan.mode,
        "root": find_root(request.folder),
        "watch": invocation.is_set("watch"),
        "detached": detaching.is_detached(),
        "version": __version__,
    }
