"""--detach: a run continues in the background, and the process that the user has started exits once the first script runs.

```text
the user's rt ──plans──> forks ──waits──┬── the first script runs ──> prints how to control the run, exits with 0
                           │            └── the run has ended before ──> prints what it has printed, exits with its status
                           └──> the run: leads a session of its own, prints to its entry in the folder of runs
```

Errors of the plan are those of a run in the foreground: the fork comes after it. The run has nothing of the caller's: no terminal, no
pipe, no session.
"""

from __future__ import annotations

import contextlib
import os

from ...workers.signals import SIGTERM, die_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...control.runs import OwnRun

_STARTED = b"started"
_ready = -1  # the pipe to the process that waits, in the run
_is_detached = False


def is_detached() -> bool:
    """Return whether this process is a run in the background."""
    return _is_detached


def report_start() -> None:
    """Let the process that waits exit."""
    global _ready
    if _ready >= 0:
        with contextlib.suppress(BrokenPipeError):  # it was killed
            os.write(_ready, _STARTED)
        os.close(_ready)
        _ready = -1


def detach(own: OwnRun) -> None:
    """Fork. Returns in the run; the calling process waits and exits."""
    global _ready, _is_detached
    ready, _ready = os.pipe()
    output = own.open_output()
    child = os.fork()
    if child:
        os.close(_ready)
        os._exit(_wait(child, ready, output, own))
    os.close(ready)
    os.setsid()
    own.print_to(output)
    _is_detached = True


def _wait(child: int, ready: int, output: int, own: OwnRun) -> int:
    """Wait until the run has started or ended, report it, and return the exit status."""
    try:
        has_started = os.read(ready, len(_STARTED)) == _STARTED
    except KeyboardInterrupt:
        os.kill(child, SIGTERM)
        has_started = False
    if has_started:
        _print(1, f"run {own.id} (process {child}) continues in the background")
        for command, meaning in (
            ("rt ps", "lists the runs"),
            (f"rt logs {own.id} -f", "follows its output"),
            (f"rt attach {own.id}", "shows it here"),
            (f"rt stop {own.id}", "ends it"),
        ):
            _print(1, f"  {command:<22}{meaning}")
        return 0
    _, status = os.waitpid(child, 0)
    with open(output, "rb") as printed, contextlib.suppress(OSError):
        printed.seek(0)  # the position is that of the run, which has written
        os.write(2, printed.read())
    own.close()
    if os.WIFSIGNALED(status):
        die_of(os.WTERMSIG(status))
    return os.waitstatus_to_exitcode(status)


def _print(descriptor: int, line: str) -> None:
    with contextlib.suppress(OSError):  # the run goes on, also if its description has no reader
        os.write(descriptor, f"{line}\n".encode())
