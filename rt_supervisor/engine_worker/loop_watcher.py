"""Watches files on the event loop of a program: changes are reported in a turn of the loop."""

from __future__ import annotations

import _thread
import time

from ..watching.listening import Listening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .. import _native
    from ..watching.watcher import Watcher


class LoopWatcher:
    """Calls `changed` with the settled changes of `watcher`. Wakes the loop, but does not keep the program alive."""

    def __init__(self, loop: _native.Loop, watcher: Watcher, changed: Callable[[list[str]], None]) -> None:
        self._loop = loop
        self._watcher = watcher
        self._changed = changed
        self._listening = Listening(add=lambda descriptor: loop.watch(descriptor, self.look), remove=loop.unwatch)
        self._has_alarm = False
        self._is_closed = False
        loop.waker()

    def look(self) -> None:
        """Report changes; called once at the start, and after files were added."""
        changed = [] if self._is_closed else self._watcher.take()
        if changed:
            self._changed(changed)
        if not self._is_closed:
            self._wait()

    def _wait(self) -> None:
        self._listening.follow(self._watcher.fileno())
        wait_s = self._watcher.timeout_s
        if wait_s is not None and not self._has_alarm:
            self._has_alarm = True
            _thread.start_new_thread(self._wake_in, (wait_s,))

    def _wake_in(self, wait_s: float) -> None:
        time.sleep(wait_s)
        self._loop.complete(self._alarm)

    def _alarm(self) -> None:
        self._has_alarm = False
        self.look()

    def close(self) -> None:
        self._is_closed = True
        self._listening.follow(None)
        self._watcher.close()
