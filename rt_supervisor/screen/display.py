"""The run's end of the screen: starts its process, and restores the terminal however that process ends.

```text
off ──open──> shown ──the screen's process ends──> over
                └──the run ends──> over
```

While the screen is shown, the display behind it gets everything but draws nothing. It draws from the moment when the screen is over, so
that the results of the run stay on the terminal, and a run whose screen has crashed goes on with blocks.
"""

from __future__ import annotations

import json
import os
import sys
import time

from ..vocabulary.signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from ..output.display import Display
    from ..output.writer import Writer
    from ..vocabulary.events import Event

_LOOK_MS = 250  # how often the screen's process is looked after; its end also wakes the run
_FAREWELL_S = 3.0  # how long the screen may take to restore the terminal
_LONGEST_REASON = 4096

# Undoes what a screen sets: the keyboard protocol, mouse, focus reports, pasting, reports of the size, synchronized output, line wrapping, the
# alternate screen, the cursor and colours.
RESTORE = (
    b"\x1b[<u\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1004l\x1b[?2004l\x1b[?2048l\x1b[?2026l\x1b[?7h\x1b[?1049l"
    b"\x1b[?25h\x1b[0m"
)


class ScreenDisplay:
    """A `Display` (`output.display`) that shows the run in a process of its own, and `behind` afterwards."""

    def __init__(
        self, behind: Display, *, out: Writer, settings: Sequence[str], history: int, warn: Callable[[str], None]
    ) -> None:
        """`out` is the terminal. `settings` are those of the keys (`keys.KeyMap`), and `history` is how many lines of a task the screen keeps.
        `warn` prints a warning.
        """
        self._behind = behind
        self._out = out
        self._arguments: dict[str, Any] = {"keys": list(settings), "history": history, "supervisor": os.getpid()}
        self._warn = warn
        self._state: Literal["off", "shown", "over"] = "off"
        self._process: subprocess.Popen[bytes] | None = None
        self._reason = -1  # the pipe through which the screen says why it ended
        self._modes: list[Any] = []

    def open(self, folder: str | None) -> None:
        """Start the screen for the run with the socket in `folder`. If that fails or there is none, the display behind it draws at once."""
        self._state = "over"
        if folder is None:
            return
        import subprocess
        import termios

        arguments = {**self._arguments, "folder": folder}
        try:
            self._modes = termios.tcgetattr(0)
            self._reason, reason = os.pipe()
        except (OSError, termios.error) as error:
            self._warn(f"the screen cannot start: {error}; showing blocks instead")
            return
        command = [sys.executable, "-P", "-m", "rt_supervisor.screen", json.dumps({**arguments, "reason": reason})]
        try:
            self._process = subprocess.Popen(command, pass_fds=(reason,))
        except OSError as error:
            self._warn(f"the screen cannot start: {error.strerror}; showing blocks instead")
        else:
            self._state = "shown"
        finally:
            os.close(reason)

    @property
    def interval_ms(self) -> int | None:
        return _LOOK_MS if self._state == "shown" else self._behind.interval_ms

    @interval_ms.setter
    def interval_ms(self, value: int | None) -> None:
        self._behind.interval_ms = value

    def event(self, event: Event) -> None:
        self._behind.event(event)

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self._behind.write(task, step, stream, block)

    def drained(self, task: int, step: int, stream: int) -> None:
        self._behind.drained(task, step, stream)

    def tick(self, now: float) -> None:
        if self._state == "shown" and self._process is not None and self._process.poll() is not None:
            self._end(is_over=False)
        if self._state != "shown":
            self._behind.tick(now)

    def resized(self) -> None:
        self._behind.resized()

    def close(self) -> None:
        if self._state == "shown":
            self._end(is_over=True)
        self._state = "over"
        self._behind.close()

    def _end(self, *, is_over: bool) -> None:
        """Have the screen end, and make sure that the terminal is as before. Says why unless the run `is_over`."""
        process = self._process
        assert process is not None
        self._state = "over"
        if process.poll() is None:
            process.terminate()
            deadline = time.monotonic() + _FAREWELL_S
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            if process.poll() is None:
                process.kill()
                process.wait()
        if process.returncode != 0:
            self._restore()
        reason = os.read(self._reason, _LONGEST_REASON).decode(errors="replace").strip()
        os.close(self._reason)
        if not is_over and process.returncode != 0:
            status = process.returncode
            ended = f"was ended by {signal_name(-status)}" if status < 0 else reason or f"exited with code {status}"
            self._warn(f"the screen {ended}; the run goes on, shown in blocks")

    def _restore(self) -> None:
        import termios

        self._out.write(RESTORE)
        try:
            termios.tcsetattr(0, termios.TCSADRAIN, self._modes)
        except termios.error:  # the terminal is gone
            return
