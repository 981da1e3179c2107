"""`rt run NAME` of one script, binary or system command, in the foreground with rt's own streams."""

from __future__ import annotations

import sys

from ... import _native
from ...settings import shell_choice
from ...settings.node_link import NodeLink
from ...settings.target import SCRIPT
from ...start import cached_start
from ...start.decision import encode
from ...workers.signals import die_of
from .foreground import decide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...settings.target import Target
    from ...workspace.manifest import Manifest
    from ..request import Request


def run_single(request: Request, manifest: Manifest | None, target: Target) -> int:
    """Run `target` to its end and return its exit status; dies of the signal that ended it. Raises Failed."""
    link = NodeLink(request.executable)
    try:
        decision = decide(request, manifest, target, link)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed before rt started
                stream.flush()
        if target.kind == SCRIPT and shell_choice.is_rt(request.invocation.text("shell")):
            from .own_shell_run import as_processes, carry_out

            record = cached_start.encode_script(decision, as_processes)  # before a script can change its dependencies
            code, signal = carry_out(decision)
        else:
            record = cached_start.encode_script(decision)
            code, signal = _native.carry_out(encode(decision))
        if record is not None:
            cached_start.store(record)
    finally:
        link.remove()
    if signal:
        die_of(signal)
    return code
